# SPDX-License-Identifier: MIT
# manuals are well formed, and name every option, variable, reason and function
. "$top_srcdir/tests/lib.sh"

cd "$top_srcdir" || exit 99

# names FILE NAME...: a manual without its escapes holds every name
names()
{
	page=$1
	shift
	for name; do
		sed 's/\\-/-/g; s/\\&//g' "$page" | grep -qF -e "$name" ||
			fail "$page says nothing of $name"
	done
}

# TOOL DIRECTORY: its manual and its completion have every option
tool()
{
	options=$($1 --help | sed -n 's/^  --\([a-z-]*\).*/\1/p') ||
		fail "$1 --help"
	[ -n "$options" ] || fail "$1 --help names no option"
	for option in $options; do
		names "$2/$1.1" "Fl -$option"
		names "completions/$1" "--$option"
	done
}

tool hprun preload
tool hpdoctor libhp
tool hppromote libhp
tool hpprobe probe

# findings of hpdoctor
ids=$(hpdoctor | sed -n 's/^\(ok\|limits\|unknown\) *\([a-z._]*\).*/\2/p')
[ -n "$ids" ] || fail "hpdoctor has no findings"
for id in $ids; do
	names libhp/hpdoctor.1 "$id"
done

variables=$(sed -n 's/.*\[HP_OPTION_\([A-Z]*\)\] = ".*/\1/p' \
	libhp/options.c | grep -v RESULT | sort -u)
[ -n "$variables" ] || fail "libhp/options.c names no variable"
for variable in $variables; do
	names libhp/libhp.7 "Ev LIBHP_$variable"
done

reasons=$(sed -n 's/^	HP_REASON_[A-Z_]*,.* \([a-z-]*\): .*/\1/p' libhp/hp.h)
[ -n "$reasons" ] || fail "libhp/hp.h names no reason"
for reason in $reasons; do
	names libhp/libhp.7 "It Cm $reason"
done

for header in hp hp_malloc hp_probe; do
	file=$(ls libhp/$header.h probe/$header.h 2>/dev/null)
	[ -n "$file" ] && [ -e "${file%.h}.3" ] || continue
	for function in $(sed -n 's/^[a-z].*[ *]\(hp_[a-z_]*\)(.*/\1/p' "$file")
	do
		names "${file%.h}.3" "Nm $function"
	done
done

need_program mandoc
for page in libhp/*.[1-8] preload/*.[1-8] probe/*.[1-8]; do
	[ -e "$page" ] || continue
	mandoc -Tlint -Wwarning "$page" >"$tmp/lint" 2>/dev/null
	grep -vE 'STYLE|referenced manual not found' "$tmp/lint" &&
		fail "$page is not well formed"
done
exit 0
