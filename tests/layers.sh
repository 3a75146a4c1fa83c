# SPDX-License-Identifier: MIT
# modules include only what lies below them, and each privilege has one place
. "$top_srcdir/tests/lib.sh"

cd "$top_srcdir" || exit 99

# Rank and module: whatever a module includes, directly or through others, must
# have a smaller rank.  A file with no line here is a part of those that include
# it, and is judged by what it leads to.
cat >"$tmp/ranks" <<'END'
10 libhp/common
20 libhp/linux
21 libhp/textfile
30 libhp/options
30 libhp/pagesize
40 libhp/ladder
40 libhp/slot
40 libhp/backing
50 libhp/filler
50 libhp/region
60 libhp/arena
60 libhp/fork
60 libhp/sites
70 libhp/init
70 libhp/report
80 libhp/hp_malloc
80 preload/malloc
80 preload/mmap
80 preload/start
30 probe/clock
30 probe/chain
31 probe/sample
50 probe/buffer
45 probe/kernels
50 probe/live
60 probe/table
60 probe/sweep
60 probe/granule
60 probe/fault
60 probe/integrity
80 probe/plot
90 probe/hpprobe
90 libhp/hpdoctor
90 libhp/hppromote
90 preload/hprun
END

sources=$(find libhp probe preload -name '*.[ch]' 2>/dev/null | sort)
[ -n "$sources" ] || fail "found no source"

# includes: "file header" for every private include, public headers aside
includes()
{
	for file in $sources; do
		sed -n 's|^# *include *"\([^"]*\)".*|\1|p' "$file" |
			sed "s|^|$file |"
	done | grep -vE ' (libhp/|probe/)?hp(_[a-z]+)?\.h$'
}

# order: reads "file header", says where a module leads to one not below it
order()
{
	awk '
	function stem(file) { sub(/\.[ch]$/, "", file); return file }
	function tool(at) { return at in rank && rank[at] >= 90 }
	function heap(to) { return to ~ /^libhp\/(filler|arena|fork|init|report)$/ }
	function visit(at, from, path,    n, i, to, next_of) {
		n = split(leads[at], next_of)
		for (i = 1; i <= n; i++) {
			to = next_of[i]
			if (seen[from, to]++ || to == from)
				continue
			if (to in rank && from in rank && rank[to] >= rank[from])
				print path " -> " to ": not below " from
			if (from ~ /^probe/ && !tool(from) && heap(to))
				print path " -> " to ": probe knows no heap"
			visit(to, from, path " -> " to)
		}
	}
	FNR == NR { rank[$2] = $1; next }
	$2 !~ /\// { print $1 ": \"" $2 "\" has no directory"; next }
	{ leads[stem($1)] = leads[stem($1)] " " stem($2); from_all[stem($1)] }
	END { for (from in from_all) visit(from, from, from) }
	' "$tmp/ranks" -
}

# code FILE: without comments, the text of strings and numbers of lines kept
code()
{
	${CC} -fpreprocessed -dD -E -P "$1" 2>/dev/null | sed 's/"[^"]*"/""/g'
}

# only PATTERN WHAT ALLOWED-FILES: complain where else the pattern stands
only()
{
	for file in $sources; do
		echo "$file" | grep -qE "^($3)\$" && continue
		code "$file" | grep -E "$1" | sed "s|^|$file: $2: |"
	done
}

call='(^|[^_[:alnum:]>.])'
memory='mmap|mmap64|munmap|mremap|mprotect|madvise|mbind|mincore|prctl'
memory="$memory|set_mempolicy|process_madvise|memfd_create|sbrk|brk"
print='v?[fd]?printf|f?puts|putchar|fputc|fwrite|perror'
format='va?s?n?printf|a?sn?printf'
tools=$(echo $HP_TOOL_SOURCES none | tr ' ' '|')

{
	includes | order
	only "$call($memory) *\(" "memory syscall outside linux.c" \
		"libhp/linux.c|preload/(mmap|raw).*|$tools"
	only "$call(SYS|__NR)_($memory)" "memory syscall outside linux.c" \
		"libhp/linux.c|libhp/jeshim.c|preload/raw.c|$tools"
	only '(^|[^_[:alnum:]])PAGEMAP_SCAN' "memory syscall outside linux.c" \
		"libhp/(linux|syscall).*"
	only "$call((secure_)?getenv *\(|environ\b)" \
		"environment outside init" \
		"libhp/init.*|preload/inherit.c|$tools"
	only "$call($print) *\(" "printing outside report and tools" \
		"libhp/report.*|$tools"
	only "$call($format) *\(" "stdio where hooks may come" \
		"libhp/report.*|probe/.*|$tools"
	only '# *include *[<"]jemalloc/' "jemalloc outside arena" \
		"libhp/(arena|jeshim|hp_malloc).*"
	only '# *include *<libunwind' "libunwind outside sites" \
		"libhp/sites.*"
	only '# *include *<json' "json-c outside tools" "$tools"
} >"$tmp/complaints"

sort -u "$tmp/complaints"
[ -s "$tmp/complaints" ] && fail "layers are broken as listed above"
echo "$(echo "$sources" | wc -l) files in their layers"
