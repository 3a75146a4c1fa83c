# SPDX-License-Identifier: MIT
# what the shared libraries export and need, by nm and readelf
. "$top_srcdir/tests/lib.sh"

need_program readelf

# exports LIBRARY: names it defines for others
exports()
{
	$NM -D --defined-only "$1" | sed 's/@.*//' |
		awk '$2 != "A" { print $3 }' | sort -u
}

# unexpected LIBRARY PATTERN: exported names the pattern does not cover
unexpected()
{
	exports "$1" | grep -vxE "$2"
}

# declared HEADER...: functions that public headers declare
declared()
{
	for header; do
		$CC -E -P -I"$top_srcdir/libhp" -I"$top_srcdir/probe" \
			"$top_srcdir/$header"
	done | tr '\n' ' ' | tr ';{}' '\n\n\n' | grep -v typedef |
		grep -oE '\bhp_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u
}

tls_bytes()
{
	size=$(readelf -lW "$1" | awk '$1 == "TLS" { print $6 }')
	echo $((${size:-0}))
}

needs()
{
	readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

# libhp.so: the API of its headers and nothing else, no jemalloc, little TLS
public=
for header in $HP_HEADERS; do
	[ "${header##*/}" = hp_malloc.h ] || public="$public $header"
done
declared $public >"$tmp/declared"
exports "$HP_LIB" >"$tmp/exported"
[ -s "$tmp/declared" ] || fail "found no declaration in $public"
diff "$tmp/declared" "$tmp/exported" ||
	fail "declared (<) is not what libhp.so exports (>):" \
		"see HP_EXPORT and libhp/libhp.map"
$NM -D --with-symbol-versions "$HP_LIB" | grep -q ' hp_version@@HP_1$' ||
	fail "libhp.so exports without the version HP_1"
$NM "$HP_LIB" | grep -E ' (hp_)?je_' && fail "libhp.so holds jemalloc"
[ "$(tls_bytes "$HP_LIB")" -le 512 ] ||
	fail "libhp.so has $(tls_bytes "$HP_LIB") bytes of TLS, more than 512"

# libhp-malloc.so
unexpected "$HP_MALLOC" 'hp_[a-z0-9_]+' && fail "libhp-malloc.so exports these"

for library in "$HP_LIB" "$HP_MALLOC" "$HP_PRELOAD"; do
	needs "$library" | grep -E 'stdc\+\+|jemalloc|[alt]san|libm\.|gcc_s' &&
		fail "$library needs these"
	exports "$library" | grep -E '^hp_je_|^je_' &&
		fail "$library exports jemalloc's inside"
done

# the preload: the two families it replaces, whole, and the API
[ -n "$HP_PRELOAD_SOURCES" ] || skip "the rest: preload_sources is empty"
family='malloc calloc realloc free aligned_alloc memalign posix_memalign
	valloc pvalloc malloc_usable_size malloc_trim
	mallocx rallocx xallocx sallocx dallocx sdallocx nallocx
	mallctl mallctlnametomib mallctlbymib malloc_stats_print malloc_message
	__libc_malloc __libc_calloc __libc_realloc __libc_free
	__libc_memalign __libc_valloc __libc_pvalloc
	mmap mmap64 munmap mremap mprotect madvise'
optional='free_sized free_aligned_sized cfree malloc_conf
	malloc_conf_2_conf_harder posix_madvise
	__libc_start_main exit _exit _Exit quick_exit daemon _Fork vfork
	pthread_create prctl
	syscall pkey_mprotect mlock mlock2 munlock process_madvise shmat
	mlockall munlockall __register_atfork'
pattern=$(echo $family $optional 'hp_[a-z0-9_]+' | tr ' ' '|')
unexpected "$HP_PRELOAD" "$pattern" && fail "libhp-preload.so exports these"
exports "$HP_PRELOAD" >"$tmp/preload"
for name in $family; do
	grep -qx "$name" "$tmp/preload" || echo "$name"
done >"$tmp/lacking"
[ -s "$tmp/lacking" ] || exit 0
cat "$tmp/lacking"
fail "libhp-preload.so lacks these"
