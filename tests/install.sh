# SPDX-License-Identifier: MIT
# make install DESTDIR=..., then a program built with pkg-config runs
. "$top_srcdir/tests/lib.sh"

need_program pkg-config python3
dest=$tmp/dest

MAKEFLAGS='' $MAKE -C "$top_builddir" install DESTDIR="$dest" \
	>"$tmp/log" 2>&1 || {
	cat "$tmp/log"
	fail "make install DESTDIR=$dest"
}

pc=$(find "$dest" -name libhp.pc)
[ -n "$pc" ] || fail "libhp.pc was not installed"
libdir=${pc%/pkgconfig/libhp.pc}
PKG_CONFIG_PATH=$libdir/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$dest
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR

for file in libhp.so libhp-malloc.so libhp-preload.so; do
	[ -e "$libdir/$file" ] || fail "$file was not installed in $libdir"
done

cat >"$tmp/program.c" <<'END'
#include <hp.h>
#include <stdio.h>

int main(void)
{
	return puts(hp_version()) < 0;
}
END

# build_and_run MODULE: the version it prints is the one pkg-config knows
build_and_run()
{
	# shellcheck disable=SC2046 # flags are words
	$CC -o "$tmp/program" "$tmp/program.c" \
		$(pkg-config --cflags --libs "$1") || fail "cannot build for $1"
	expect "hp_version of $1" "$(pkg-config --modversion "$1")" \
		"$(LD_LIBRARY_PATH=$libdir "$tmp/program")"
}

build_and_run libhp
build_and_run libhp-malloc

python3 -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$libdir/libhp.so" ||
	fail "python cannot dlopen libhp.so"
