# SPDX-License-Identifier: MIT
# Mappings with a file, shared ones and the program's own MAP_HUGETLB pass
# through untouched, errors included.
# From: SOS #1207, memmap2-rs #137, lind-wasm PR #1096, yugabyte-db #28816.
. "$top_srcdir/tests/case.sh"

want_pool 16
for mmap in pack align off; do
	same LIBHP_MMAP=$mmap "$here/case_passthrough" \
		"$tmp/file"
done
