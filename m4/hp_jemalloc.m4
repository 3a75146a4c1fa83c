# SPDX-License-Identifier: MIT
# HP_JEMALLOC_PIC: find jemalloc's static archive of position-independent
# objects, and see that its public names carry no prefix (ours is added by
# preload/jemalloc.syms).  Sets JEMALLOC_PIC.
AC_DEFUN([HP_JEMALLOC_PIC], [
	AC_ARG_WITH([jemalloc-pic],
		[AS_HELP_STRING([--with-jemalloc-pic=FILE],
			[jemalloc's archive of PIC objects
			 (default: the compiler's libjemalloc_pic.a)])],
		[JEMALLOC_PIC=$withval],
		[JEMALLOC_PIC=`$CC -print-file-name=libjemalloc_pic.a`])
	AC_MSG_CHECKING([for jemalloc's PIC archive])
	AS_IF([test ! -r "$JEMALLOC_PIC"], [
		AC_MSG_RESULT([no])
		AC_MSG_ERROR([jemalloc's PIC archive was not found ($JEMALLOC_PIC): install libjemalloc-dev, or build jemalloc 5 and name its lib/libjemalloc_pic.a by --with-jemalloc-pic=FILE])
	])
	AC_MSG_RESULT([$JEMALLOC_PIC])
	AC_MSG_CHECKING([whether its public names carry no prefix])
	AS_IF([$NM -g "$JEMALLOC_PIC" 2>/dev/null | grep ' T mallocx$' >/dev/null],
		[AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([$JEMALLOC_PIC defines no mallocx: want a jemalloc 5 configured without --with-jemalloc-prefix])])
	AC_CHECK_HEADER([jemalloc/jemalloc.h], [],
		[AC_MSG_ERROR([jemalloc/jemalloc.h was not found: install libjemalloc-dev, or set CPPFLAGS])])
	AC_SUBST([JEMALLOC_PIC])
])
