# SPDX-License-Identifier: MIT
# hpprobe --help and hpprobe(1) know the same commands, options and words
. "$top_srcdir/tests/lib.sh"

page=$top_srcdir/probe/hpprobe.1
hpprobe --help >"$tmp/help" || fail "hpprobe --help"

# same WHAT: both lists, sorted, are one
same()
{
	[ -s "$tmp/told" ] || fail "--help tells no $1"
	diff "$tmp/told" "$tmp/written" ||
		fail "$1 of --help (<) are not those of hpprobe(1) (>)"
}

grep -oE -e '(^|[ ,])--?[a-z]+' "$tmp/help" | tr -d ' ,' |
	sort -u >"$tmp/told"
grep '^\.It Fl' "$page" | grep -oE 'Fl -?[a-z]+' | sed 's/^Fl /-/' |
	sort -u >"$tmp/written"
same options

sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$tmp/help" |
	sort >"$tmp/told"
sed -n '/^The commands are:/,/^\.El/s/^\.It Cm \([a-z]*\).*/\1/p' "$page" |
	sort >"$tmp/written"
same commands

# words DEFINITION-FILE PATTERN: every one stands in the page
words()
{
	list=$(sed -n "s/$2/\\1/p" "$top_srcdir/$1")
	[ -n "$list" ] || fail "$1 has no words"
	for word in $list; do
		grep -q "^\.\(It \)\?Cm $word\( \|$\)" "$page" ||
			fail "hpprobe(1) does not explain $word"
	done
}

words probe/granule_infer.c '.*\[HP_GRANULE_[A-Z_]*\] = {"\([a-z-]*\)".*'
words probe/result.c '^		*return "\([a-z]*\)";'
