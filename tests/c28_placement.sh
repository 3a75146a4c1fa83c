# SPDX-License-Identifier: MIT
# Low addresses, a hint and PROT_EXEC are what the program means, not room
# for improvement.
# From: ntopng #2158, luanti #2988, LuaJIT #49, hhvm #5375, asmjit #509.
. "$top_srcdir/tests/case.sh"

want_pool 16
for mmap in pack align; do
	same LIBHP_MMAP=$mmap "$here/case_placement"
done
echo aab >"$tmp/text"
same grep -P 'a+b' "$tmp/text"
