# SPDX-License-Identifier: MIT
# modules include only what lies below them, and each privilege has one place
. "$top_srcdir/tests/lib.sh"

cd "$top_srcdir" || exit 99

# Rank and module: a file may include headers of a smaller rank, and its own
# module's.  slot_x.c belongs to slot unless it has a line of its own.  A new
# module gets its line here.
cat >"$tmp/ranks" <<'END'
0 libhp/hp
0 libhp/hp_malloc
0 probe/hp_probe
0 libhp/common
1 libhp/version
1 libhp/linux
1 libhp/textfile
2 libhp/options
2 libhp/pagesize
2 libhp/stats
3 libhp/ladder
3 libhp/slot
3 libhp/backing
4 libhp/filler
4 libhp/region
5 libhp/jeshim
6 libhp/arena
6 libhp/fork
6 libhp/sites
7 libhp/init
8 libhp/report
8 libhp/hp_malloc
9 preload/malloc
9 preload/mmap
9 preload/start
1 probe/clock
1 probe/chain
1 probe/sample
5 probe/buffer
5 probe/kernels
5 probe/live
6 probe/table
6 probe/sweep
6 probe/granule
6 probe/fault
6 probe/integrity
6 probe/model
9 probe/plot
10 probe/hpprobe
10 libhp/hpdoctor
10 libhp/hppromote
10 preload/hprun
10 preload/compare
END

sources=$(find libhp probe preload -name '*.[ch]' | sort)
[ -n "$sources" ] || fail "found no source"

# module FILE: its name without directory of parts and suffix, as in the table
module()
{
	name=${1%.[ch]}
	while [ -n "$name" ]; do
		grep -q " $name\$" "$tmp/ranks" && echo "$name" && return
		case $name in
		*_*) name=${name%_*} ;;
		*/*/*) name=${name%/*} ;;
		*) return ;;
		esac
	done
}

# rank MODULE: a name listed twice is a header (first) and a source (last)
rank()
{
	awk -v name="$1" '$2 == name { print $1 }' "$tmp/ranks" | "$2" -n 1
}

includes()
{
	sed -n 's|^# *include *"\([^"]*\)".*|\1|p' "$1"
}

# check_include FILE ITS-MODULE ITS-RANK HEADER
check_include()
{
	case $4 in
	*/*) ;;
	hp*.h) return ;;
	*) echo "$1: \"$4\" has no directory" && return ;;
	esac
	to=$(module "$4")
	[ -n "$to" ] || {
		echo "$1: $4 belongs to no module in tests/layers.sh"
		return
	}
	[ "$to" = "$2" ] && return
	[ "$(rank "$to" head)" -lt "$3" ] ||
		echo "$1: includes $4, which is not below it"
	case $2:$to in
	probe/hpprobe:*) ;;
	probe/*:libhp/filler | probe/*:libhp/arena | probe/*:libhp/fork)
		echo "$1: probe knows nothing of the heap, but includes $4" ;;
	esac
}

check_file()
{
	of=$(module "$1")
	[ -n "$of" ] || {
		echo "$1: belongs to no module in tests/layers.sh"
		return
	}
	case $1 in
	*.h) of_rank=$(rank "$of" head) ;;
	*) of_rank=$(rank "$of" tail) ;;
	esac
	for header in $(includes "$1"); do
		check_include "$1" "$of" "$of_rank" "$header"
	done
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
memory="$memory|set_mempolicy|process_madvise|memfd_create|sbrk|brk|ioctl"
print='v?[fd]?printf|v?a?s?n?printf|f?puts|putchar|fputc|fwrite|perror'
tools='preload/hprun.*|preload/compare.*|probe/hpprobe.*|probe/plot.*'
tools="$tools|libhp/hpdoctor.*|libhp/hppromote.*"

{
	for file in $sources; do
		check_file "$file"
	done
	only "$call($memory) *\(" "memory syscall outside linux.c" \
		"libhp/linux.c|preload/mmap.*|$tools"
	only "$call(SYS|__NR)_($memory)" "memory syscall outside linux.c" \
		"libhp/linux.c|libhp/jeshim.c|$tools"
	only "$call((secure_)?getenv *\(|environ\b)" \
		"environment outside init" "libhp/init.*|$tools"
	only "$call($print) *\(" "printing outside report and tools" \
		"libhp/report.*|$tools"
	only '# *include *[<"]jemalloc/' "jemalloc outside arena" \
		"libhp/(arena|jeshim|hp_malloc).*"
	only '# *include *<libunwind' "libunwind outside sites" \
		"libhp/sites.*"
	only '# *include *<json' "json-c outside tools" "$tools"
} >"$tmp/complaints"

sort -u "$tmp/complaints"
[ -s "$tmp/complaints" ] && fail "layers are broken as listed above"
echo "$(echo "$sources" | wc -l) files in their layers"
