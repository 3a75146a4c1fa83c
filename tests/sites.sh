# SPDX-License-Identifier: MIT
# LIBHP_SITES: memory is put down to those who asked for it, and nobody waits
. "$top_srcdir/tests/case.sh"

need_program python3
grep -q '^#define HAVE_LIBUNWIND 1' "$top_builddir/config.h" ||
	skip "built without libunwind"

# sites SETTING PROGRAM...: run with call stacks, the report to $tmp/r.json
sites()
{
	setting=$1
	shift
	rm -f "$tmp/r.json"
	hp LIBHP_SITES="$setting" LIBHP_REPORT=json:"$tmp/r.json" "$@"
	ended "$*" 0
	! grep '^libhp:' "$tmp/hp.err" || fail "$*: a complaint"
}

sites 1 "$here/case_sites"
if grep -q '"sites": null' "$tmp/r.json"; then
	skip "needs libunwind.so.8"
fi

# amounts MIB_OF_SMALL_BLOCKS: known ones to the byte, sampled ones by five
# standard deviations of 192 samples
cat >"$tmp/amounts.py" <<'END'
import json, sys
MIB = 1 << 20
report = json.load(open(sys.argv[1]))
sites = report["sites"]

def of(name):
    found = [s for s in sites if s["stack"] and
             s["stack"][0].startswith(name + "+")]
    for s in found:
        assert any(f.startswith("main+") for f in s["stack"]), s["stack"]
        assert len(s["addresses"]) == len(s["stack"]), s
        assert "/case_sites" in s["addresses"][0], s["addresses"][0]
        assert not any("hp_" in f for f in s["stack"]), s["stack"]
    return {k: sum(s[k] for s in found) for k in
            ("asked_bytes", "bytes", "huge_bytes", "blocks", "slots")}

def exactly(name, mib):
    got = of(name)["asked_bytes"] / MIB
    assert got == mib, f"{name}: {got} MiB, not {mib}"

small = of("small_site")
assert 0.6 * 96 < small["asked_bytes"] / MIB < 1.4 * 96, small
assert small["slots"] >= 40, small
assert sites[0]["stack"][0].startswith("small_site+"), sites[0]["stack"]
exactly("large_site", 24)
exactly("map_site", 28)
exactly("grow_site", 12)
for s in sites:
    assert 0 <= s["huge_bytes"] <= s["bytes"] <= s["asked_bytes"] * 1.01, s
    assert sum(s["reasons"].values()) <= s["slots"], s
everything = sum(s["slots"] for s in sites)
assert everything <= report["managed"]["slots"] * 1.1, everything
if report["managed"]["coverage"] > 0.95:
    assert small["huge_bytes"] > 0.9 * small["bytes"], small
    assert of("large_site")["huge_bytes"] >= 20 * MIB, of("large_site")
END

if grep -q '"verdict": "unknown"' "$tmp/r.json"; then
	skip "needs a kernel that tells how memory is mapped"
fi
python3 "$tmp/amounts.py" "$tmp/r.json" || fail "amounts at exit"
sites 1 "$here/case_sites" free
python3 "$tmp/amounts.py" "$tmp/r.json" || fail "amounts at the peak"
sites 1 "$here/case_sites" fail
python3 "$tmp/amounts.py" "$tmp/r.json" || fail "amounts after failed calls"

if python3 -c 'import jsonschema' 2>/dev/null; then
	python3 -c 'import json, sys, jsonschema
jsonschema.Draft7Validator(json.load(open(sys.argv[1]))).validate(
	json.load(open(sys.argv[2])))' \
		"$top_srcdir/libhp/report.schema.json" "$tmp/r.json" ||
		fail "the report is not as its schema says"
fi

# text: the table begins with the largest
hp LIBHP_SITES=1 LIBHP_REPORT=stderr "$here/case_sites"
ended "text" 0
grep -A 2 'call stacks:' "$tmp/hp.err" | tail -n 1 |
	grep -q '^ *small_site+0x[0-9a-f]* < main+0x' ||
	fail "the table: $(cat "$tmp/hp.err")"

# folded stacks: root first, a number last
sites "$tmp/x.%e.folded" "$here/case_sites"
grep -qE '^[^ ]*;main;large_site [0-9]+$' "$tmp/x.case_sites.folded" ||
	fail "folded stacks: $(head -n 3 "$tmp/x.case_sites.folded")"
! grep -vE '^[^;]+(;[^;]+)* [0-9]+$' "$tmp/x.case_sites.folded" ||
	fail "these are no folded stacks"

# pprof's own reader, where there is one, else by its form
sites "$tmp/x.heap" "$here/case_sites"
head -n 1 "$tmp/x.heap" |
	grep -qE '^heap profile: +[0-9]+: +[0-9]+ \[.*\] @ heapprofile$' ||
	fail "heap profile begins with $(head -n 1 "$tmp/x.heap")"
sed -n '/^MAPPED_LIBRARIES:/,$p' "$tmp/x.heap" | grep -q case_sites ||
	fail "the heap profile lists no mappings"
if have jeprof && jeprof --version >/dev/null 2>&1; then
	jeprof --text "$here/case_sites" "$tmp/x.heap" \
		>"$tmp/jeprof" 2>/dev/null || fail "jeprof"
	grep -q ' small_site' "$tmp/jeprof" || fail "jeprof: $(cat "$tmp/jeprof")"
fi

# nobody waits for a lock that another thread's loader call holds
sites 1 "$here/case_sites" wait
sites 1 "$here/case_dlopen" "$here/case_ctor.so"
sites 1 "$here/case_sites" fork
sites 1 "$here/case_signal_map"
sites 1 LIBHP_MMAP=off "$here/case_signal_map"

# a program whose own malloc maps under its lock, a lock that a walk must not
# want; and one preloaded before libhp
sites 1 "$here/case_own_malloc"
for jemalloc in /usr/lib/*/libjemalloc.so.2; do
	[ -e "$jemalloc" ] || continue
	hp LD_PRELOAD="$jemalloc:$HP_PRELOAD" LIBHP_SITES=1 \
		LIBHP_REPORT=/dev/null "$here/case_sites" wait
	ended "$jemalloc before libhp" 0
done

# where a program closed all descriptors it does not know, none of its files is
# written into, and what it opens gets the numbers it gets without libhp
cd "$tmp" || exit 99
for closed in "" "<&-" ">&-" "2>&-"; do
	status=0
	eval "\"$here/case_untabled\" $closed" || status=$?
	at_least "case_untabled $closed" 10 $status
	rc=0
	eval "LD_PRELOAD=$HP_PRELOAD LIBHP_SITES=1 LIBHP_REPORT=/dev/null \
		\"$here/case_untabled\" $closed" || rc=$?
	expect "case_untabled $closed" $status $rc
done
if have strace && strace true 2>/dev/null; then
	strace -f -e trace=pipe,pipe2 -o "$tmp/strace" \
		env LD_PRELOAD="$HP_PRELOAD" LIBHP_SITES=1 \
		LIBHP_REPORT=/dev/null "$here/case_untabled"
	! grep pipe "$tmp/strace" || fail "a pipe"
fi

# a sandbox kills whoever opens a file: what was known before is told
hp LIBHP_SITES=1 LIBHP_REPORT=stderr "$here/case_seccomp"
ended "sandbox" 0
grep -q ' main+0x.* < ' "$tmp/hp.err" || fail "sandbox: no call stacks"

# off: not even loaded
plain env LD_PRELOAD="$HP_PRELOAD" LIBHP_SITES=0 cat /proc/self/maps
! grep -q libunwind "$tmp/plain.out" || fail "libunwind is there when off"

# a bad value: one line, and the program runs
hp LIBHP_SITES=/x.svg "$here/case_sites" wait
expect "lines about a bad value" 1 "$(grep -c '^libhp:' "$tmp/hp.err")"
exit 0
