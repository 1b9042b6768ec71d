# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# A part of util/package: an .rpm for nginx.org's packages; behind that of
# util/nginx.org.
#
# shellcheck shell=bash disable=SC2034,SC2154,SC2164

rpm_result=$out/nginx-module-judge-$full-1.$(uname -m).rpm

rpm_package() {
    local top=$PWD/$out/rpm

    rm -rf "$top" "$out"/*.rpm
    mkdir -p "$top/SOURCES"
    unpacked "$top/tree"
    tar -cf "$top/SOURCES/nginx-$nginx_version.tar" -C "$top/tree" \
        "nginx-$nginx_version"
    cp "$out/judge-$version.tar.gz" "$top/SOURCES"
    {
        printf '* %s %s - %s-1\n' \
               "$(LC_ALL=C date -u '+%a %b %d %Y' -d "$(written)")" \
               "$maintainer" "$full"
        printf -- '- base version updated to %s\n' "$nginx_version"
        changes | sed 's/^  \* /- /; s/^    /  /; s/%/%%/g'
    } >"$top/changelog"
    with_banner util/rpm/nginx-module-judge.spec \
        | sed -e "/^@CHANGELOG@/{r $top/changelog" -e 'd}' \
        >"$top/nginx-module-judge.spec"

    # Debian knows the libraries by other names than the spec.
    rpmbuild -bb --nodeps --define "_topdir $top" \
             --define "nginx_version $nginx_version" \
             --define "judge_version $version" "$top/nginx-module-judge.spec"
    mv "$top"/RPMS/*/*.rpm "$out"
}
