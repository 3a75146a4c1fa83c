# SPDX-License-Identifier: MIT
# In a memory cgroup a program that touches little of much is not killed for
# what huge pages would add.
. "$top_srcdir/tests/case.sh"

need_root
root=/sys/fs/cgroup/memory
limit=memory.limit_in_bytes
if [ ! -e $root/$limit ]; then
	root=/sys/fs/cgroup
	limit=memory.max
	grep -q memory $root/cgroup.subtree_control 2>/dev/null ||
		skip "needs a memory cgroup"
fi
group=$root/libhp-test.$$
mkdir $group 2>/dev/null || skip "needs to make a cgroup in $root"
at_exit "echo $$ >$root/cgroup.procs; sleep 0.1; rmdir $group"
# page tables of programs that ended a moment ago are charged for a while
echo 32M >$group/$limit || skip "needs to limit memory"
echo $$ >$group/cgroup.procs

backends="thp:4M thp:0"
for mmap in pack align off; do
	for how in map reserve malloc calloc; do
		for part in 4 64 512; do
			same LIBHP_MMAP=$mmap "$here/case_sparse" $how $part
		done
	done
done
# what is mapped and what is allocated share the limit
echo 64M >$group/$limit || fail "the limit cannot be raised"
same "$here/case_sparse" mixed 2

# workers that grow at the same time share it, and so do those without libhp
same "$here/case_siblings" 3 40 malloc
same "$here/case_siblings" 3 30 map
same "$here/case_siblings" 4 20 malloc
same "$here/case_siblings" 8 8 map

# what the limit lets be advised piece by piece leaves mappings for the rest
backends="thp:0"
same "$here/case_map_count" protect unused
same "$here/case_map_count" again used
