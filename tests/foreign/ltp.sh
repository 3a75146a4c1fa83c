# SPDX-License-Identifier: MIT
# ltp.sh - the Linux Test Project: PATH is its tree, configured, with lib, libs
# and at least these families built in place ("make -C testcases/kernel/DIR")

[ -d "$path/runtest" ] || skip "needs the path of a built LTP tree"
families="syscalls/mmap syscalls/munmap syscalls/mremap syscalls/madvise
	syscalls/process_madvise syscalls/mprotect syscalls/pkeys
	syscalls/mlock syscalls/mlock2 syscalls/mlockall syscalls/munlock
	syscalls/munlockall syscalls/mincore syscalls/msync syscalls/brk
	syscalls/sbrk syscalls/fork syscalls/vfork syscalls/clone
	syscalls/ipc/shmat syscalls/ipc/shmctl syscalls/ipc/shmdt
	syscalls/ipc/shmget syscalls/shmat syscalls/shmctl syscalls/shmdt
	syscalls/shmget syscalls/mbind syscalls/remap_file_pages
	syscalls/mseal syscalls/userfaultfd syscalls/move_pages
	mem/hugetlb mem/thp mem/mmapstress mem/shmt mem/mtest01 mem/mtest05
	mem/mtest06 mem/mtest07 mem/mem mem/page mem/vma mem/vmtests"
system_tests='^(huge|thp|ksm|madvise|move_pages|mmap2|mtest|mem02|mallocstress)'
pool_tests='^huge'

# not its mallinfo and mallopt: they test how glibc's malloc is made inside

# take or lock all memory there is, or run for minutes by design
greedy='^(mtest01|mtest01w|mtest06|mallocstress|fork13) '

# looks for room above the first block, which it takes for the end of brk; it
# fails with every allocator that maps its heap (libjemalloc, libmimalloc)
brk_only='^hugemmap24 '

# LTP's own lists know the arguments; tests of one binary have several names
suite_tests()
{
	for family in $families; do
		[ -d "$path/testcases/kernel/$family" ] &&
			find "$path/testcases/kernel/$family" -type f \
				-perm -u+x ! -name '*.sh'
	done >"$tmp/binaries"
	[ -s "$tmp/binaries" ] || skip "nothing is built in $path"
	dirs=$(sed 's|/[^/]*$||' "$tmp/binaries" | sort -u | tr '\n' ':')
	cat "$path"/runtest/syscalls "$path"/runtest/syscalls-ipc \
		"$path"/runtest/mm "$path"/runtest/hugetlb 2>/dev/null |
		awk -v dirs="$dirs" -v root="$path" '
		FNR == NR { sub(".*/", ""); built[$0]; next }
		/^#/ || NF < 2 || !($2 in built) || seen[$1]++ { next }
		{ name = $1; $1 = ""; print name, "LTPROOT=" root \
			" LTP_TIMEOUT_MUL=3 PATH=" dirs "$PATH" $0 }' \
		"$tmp/binaries" - | grep -vE "$greedy|$brk_only"
}
