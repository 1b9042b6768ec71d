# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Read by nginx's configure when it writes the Makefile: generated sources.

cat << END                                                    >> $NGX_MAKEFILE

$NGX_OBJS/judge_migrations.c:	$ngx_addon_dir/util/embed \\
	$(echo $ngx_addon_dir/src/store/sql/*.sql)
	$ngx_addon_dir/util/embed $ngx_addon_dir/src/store/sql > \$@.new
	mv \$@.new \$@

$NGX_OBJS/judge_wordlist.c:	$ngx_addon_dir/util/wordlist \\
	$ngx_addon_dir/src/analysis/judge_lexicon.txt
	$ngx_addon_dir/util/wordlist > \$@.new
	mv \$@.new \$@

$NGX_OBJS/judge_openapi.c:	$ngx_addon_dir/util/openapi \\
	$ngx_addon_dir/docs/openapi.yaml
	$ngx_addon_dir/util/openapi $ngx_addon_dir/docs/openapi.yaml > \$@.new
	mv \$@.new \$@

END
