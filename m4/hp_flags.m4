# SPDX-License-Identifier: MIT
# Compiler flags: warnings, --enable-werror, --enable-sanitize, C++.

# HP_TRY_CFLAGS(VARIABLE, FLAGS): append each flag the compiler takes
AC_DEFUN([HP_TRY_CFLAGS], [
	for hp_flag in $2; do
		hp_saved_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS -Werror $hp_flag"
		AC_MSG_CHECKING([whether $CC takes $hp_flag])
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
			[AC_MSG_RESULT([yes])
			 $1="$$1 $hp_flag"],
			[AC_MSG_RESULT([no])])
		CFLAGS=$hp_saved_CFLAGS
	done
])

AC_DEFUN([HP_WARNINGS], [
	HP_TRY_CFLAGS([WARN_CFLAGS], [-Wall -Wextra -Wstrict-prototypes dnl
-Wmissing-prototypes -Wold-style-definition -Wshadow -Wpointer-arith dnl
-Wundef -Wformat=2 -Wvla -Wwrite-strings -Wno-unused-parameter])
	AC_SUBST([WARN_CFLAGS])
])

AC_DEFUN([HP_WERROR], [
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [warnings stop the build])],
		[], [enable_werror=no])
	AS_IF([test "$enable_werror" != no], [WERROR_CFLAGS=-Werror])
	AC_SUBST([WERROR_CFLAGS])
])

# The preload replaces malloc, as the sanitizers' run-times do, so only the
# internal library and the tests linked with it are instrumented.
AC_DEFUN([HP_SANITIZE], [
	AC_ARG_ENABLE([sanitize],
		[AS_HELP_STRING([--enable-sanitize=LIST],
			[instrument the library the tests use:
			 address,undefined or thread])],
		[], [enable_sanitize=no])
	AS_CASE([$enable_sanitize],
		[no|address|undefined|thread], [],
		[address,undefined|undefined,address], [],
		[thread,undefined|undefined,thread], [],
		[AC_MSG_ERROR([--enable-sanitize=$enable_sanitize: want address, undefined, thread, or two that go together])])
	AS_IF([test "$enable_sanitize" != no], [
		SANITIZE_CFLAGS="-fsanitize=$enable_sanitize -fno-sanitize-recover=all -fno-omit-frame-pointer"
		hp_saved_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS $SANITIZE_CFLAGS"
		AC_LINK_IFELSE([AC_LANG_PROGRAM()], [],
			[AC_MSG_ERROR([$CC cannot link with -fsanitize=$enable_sanitize])])
		CFLAGS=$hp_saved_CFLAGS
	])
	AC_SUBST([SANITIZE_CFLAGS])
	AM_CONDITIONAL([SANITIZE], [test "$enable_sanitize" != no])
])

# AC_PROG_CXX answers g++ even when there is none; HP_CXX is empty then
AC_DEFUN([HP_PROG_CXX_WORKS], [
	AC_LANG_PUSH([C++])
	AC_MSG_CHECKING([whether $CXX works])
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
		[hp_cxx_works=yes], [hp_cxx_works=no])
	AC_MSG_RESULT([$hp_cxx_works])
	AC_LANG_POP([C++])
	AS_IF([test "$hp_cxx_works" = yes], [HP_CXX=$CXX])
	AC_SUBST([HP_CXX])
])
