# SPDX-License-Identifier: MIT
# A block may be freed through any name of free there is: a plugin's that was
# opened with RTLD_DEEPBIND (PHP's extensions), one looked up in libc itself
# (ctypes, JNA). And RTLD_DEEPBIND still means what it says.
. "$top_srcdir/tests/case.sh"

backends="thp:4M thp:0"
same "$here/case_crossing" "$here/case_plugin_crossing.so"
libc_names='
import ctypes
libc = ctypes.CDLL("libc.so.6")
libc.strdup.restype = ctypes.c_void_p
libc.malloc.restype = libc.realloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
for i in range(1000):
    p = libc.strdup(b"x" * i)
    libc.free(p)
    libc.free(libc.malloc(i * 100))
print("ok")'
# Debian's is linked to a fixed place, where functions have stubs for addresses
for python in python3 /usr/bin/python3; do
	have $python && same $python -c "$libc_names"
done
have php && same php -r 'echo count(get_loaded_extensions()) > 9, "\n";'
exit 0
