# SPDX-License-Identifier: MIT
# /sys and /proc may be absent, empty or nonsense: the program runs, and the
# report says unknown rather than 0.
# From: gvisor #10625, kata-containers #5191, libhugetlbfs #43, criu #3129.
. "$top_srcdir/tests/case.sh"

need_program unshare mount python3
unshare -rm true 2>/dev/null || skip "no user namespaces for us"
fill=$here/case_fill

# in_world SETUP: case_fill in a mount namespace prepared by SETUP
in_world()
{
	rc=0
	rm -f "$tmp/r.json"
	unshare -rm sh -ec "$1
		exec env LD_PRELOAD='$HP_PRELOAD' LIBHP_START=0 \
		LIBHP_REPORT='json:$tmp/r.json' '$fill' 16" \
		>"$tmp/hp.out" 2>"$tmp/hp.err" || rc=$?
	as_plain "$1"
	[ -s "$tmp/r.json" ] || fail "$1: no report"
}

# not_known FIELD...: null, never 0
not_known()
{
	for field; do
		expect "$field" None "$(value "$tmp/r.json" "$field")"
	done
}

plain "$fill" 16
in_world 'mount -t tmpfs none /sys'
in_world 'mount -t tmpfs none /proc'
not_known process.present_bytes process.huge_bytes process.coverage
expect "verdict without /proc" unknown "$(value "$tmp/r.json" verdict)"
in_world 'mount -t tmpfs none /sys; mount -t tmpfs none /proc'
not_known process.present_bytes managed.coverage
expect "verdict without both" unknown "$(value "$tmp/r.json" verdict)"

for text in '' abc 0 123456789012345678901234567890 -2097152 3000000; do
	echo "$text" >"$tmp/size"
	in_world "mount --bind '$tmp/size' $thp/hpage_pmd_size"
done
for text in '' 'always madvise never' '[]' '[banana]' '[never'; do
	echo "$text" >"$tmp/mode"
	in_world "mount --bind '$tmp/mode' $thp/enabled"
done

# a mount table whose first line is longer than any buffer
long=$tmp/$(printf 'x%.0s' $(seq 240))
mkdir "$long"
in_world "p='$long'
	for i in \$(seq 22); do
		mkdir -p \"\$p\"; p=\$p/$(printf 'y%.0s' $(seq 240))
	done 2>/dev/null
	mount -t tmpfs \"src\$(printf 'z%.0s' \$(seq 3000))\" '$long' || true"
