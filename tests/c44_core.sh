# SPDX-License-Identifier: MIT
# A core dump holds the heap, whatever backs it, and no giant reservation.
# From: spdk #215, ladybug #664, gperftools #1237, scylladb #805.
. "$top_srcdir/tests/case.sh"

case $(cat /proc/sys/kernel/core_pattern) in
core*) ;;
*) skip "core_pattern does not name a plain file" ;;
esac
(ulimit -c unlimited) 2>/dev/null || skip "the core size limit is fixed"
want_pool 64
mkdir "$tmp/cores"
cd "$tmp/cores" || exit 99

dumped()
{
	ended "$1" 134
	core=$(ls -S core* 2>/dev/null | head -n 1)
	[ -s "$core" ] || fail "$1: no core"
	present=$(figure present_kb)
	at_most "$1: kB of the core" $((present * 11 / 10 + 1024)) \
		"$(du -k "$core" | cut -f 1)"
	# holes for what is mapped and was never touched
	at_most "$1: kB of the core with holes" $((present * 2)) \
		$(($(wc -c <"$core") / 1024))
	at_least "$1: patterns in it" 4194304 \
		"$(LC_ALL=C grep -ao HPCOREPATTERN016 "$core" | wc -l)"
	rm -f core*
}

ulimit -c unlimited
plain "$here/case_abort"
[ -n "$(ls core* 2>/dev/null)" ] || skip "no core without libhp either"
rm -f core*
each_backend dumped "$here/case_abort"
