# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Read by nginx's configure as it has written its Makefile: libjudge.a, and
# what is generated, are made by util/Makefile, which looks each time whether
# anything has changed.  It needs GNU's make.  A library for a folder that
# others use, too, has all extensions.

judge_choice=
if [ -z "${JUDGE_OBJ-}" ]; then
    judge_choice="EXTENSIONS='$judge_extensions'"
fi

cat << END                                                    >> $NGX_MAKEFILE

.PHONY: judge_library

judge_library:
	\$(MAKE) -C $judge_dir -f util/Makefile library CC="\$(CC)" \\
	    JUDGE_OBJ="$judge_obj" JUDGE_WAY="${JUDGE_WAY:-own}" \\
	    JUDGE_CC_OPT='$NGX_CC_OPT' $judge_choice

$judge_library $judge_lists: judge_library
	@:

$NGX_OBJS/ngx_http_judge_module.so $NGX_OBJS/nginx $NGX_OBJS/angie: \\
    $judge_library

END
