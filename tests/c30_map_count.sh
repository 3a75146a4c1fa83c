# SPDX-License-Identifier: MIT
# Neighbouring mappings still merge, so vm.max_map_count is not used up; and
# when munmap does fail, free keeps the block.
# From: jemalloc #1328, #1011, ClickHouse #5369, memcached #512.
. "$top_srcdir/tests/case.sh"

want_pool 16
for mmap in pack align off; do
	hp LIBHP_START=0 LIBHP_MMAP=$mmap "$here/case_map_count" maps
	ended "70000 maps, LIBHP_MMAP=$mmap" 0
	at_most "more lines after 70000 maps" 100 "$(figure more_lines)"
done

# what is placed or advised by libhp is no mapping of its own, or not for long
for how in "protect unused" "again used" "fixed used"; do
	hp LIBHP_START=0 "$here/case_map_count" $how
	ended "pieces of a reservation, $how" 0
	at_most "$how: more lines" 100 "$(figure more_lines)"
done
hp LIBHP_START=0 "$here/case_map_count" large 2052
ended "70000 maps of 2052 KiB" 0
at_most "2052 KiB: more lines" 10000 "$(figure more_lines)"

few_lines()
{
	ended "$1" 0
	at_most "$1: lines with every second block freed" 5000 \
		"$(figure lines_half_freed)"
	at_most "$1: lines with 40000 blocks" 5000 "$(figure lines)"
}

# 40 blocks of 32 MiB one after the other: a block lost would leave 32 MiB
not_lost()
{
	ended "$1" 0
	at_most "$1: kB present" 100000 "$(figure present_kb)"
}

backends="thp:4M 2M:0"
each_backend few_lines "$here/case_map_count" blocks
each_backend not_lost "$here/case_munmap_fails"
