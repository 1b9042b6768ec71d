# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# A part of util/package: nginx-module-judge for nginx.org's packages, made of
# the source package, and nginx's source.
#
# shellcheck shell=bash disable=SC2034,SC2154,SC2164

nginx_version() {
    if [ -d "$nginx" ]; then
        cat "$nginx/src/core/nginx.h"
    else
        tar -xOf "$nginx" --wildcards '*/src/core/nginx.h'
    fi | sed -n 's/^#define NGINX_VERSION  *"\(.*\)"/\1/p'
}

nginx_version=$(nginx_version)
full=$nginx_version+$version
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
nginx_result=$out/nginx-module-judge_$full-1~${suite}_$arch.deb
util/package source >/dev/null

# unpacked FOLDER: nginx's source in nginx-VERSION, and the source package.
unpacked() {
    mkdir -p "$1/nginx-$nginx_version"
    if [ -d "$nginx" ]; then
        cp -r "$nginx/." "$1/nginx-$nginx_version"
    else
        tar -xf "$nginx" -C "$1/nginx-$nginx_version" --strip-components=1
    fi

    # A checkout has it elsewhere than a release.
    if [ ! -e "$1/nginx-$nginx_version/configure" ]; then
        ln -s auto/configure "$1/nginx-$nginx_version/configure"
    fi
    tar -xf "$out/judge-$version.tar.gz" -C "$1"
}

with_banner() {
    sed -e '/^@BANNER@/{r util/nginx.org/banner' -e 'd}' "$1"
}

nginx_package() {
    local work=$PWD/$out/nginx debian

    rm -rf "$work" "$out"/nginx-module-judge_*
    unpacked "$work"
    mv "$work/nginx-$nginx_version" "$work/judge-$version/nginx"
    debian=$work/judge-$version/debian
    mkdir -p "$debian/source"
    cp util/nginx.org/rules "$debian"
    cp util/debian/source/format "$debian/source"
    sed "s/@NGINX@/$nginx_version/" util/nginx.org/control \
        >"$debian/control"
    copyright | sed '/^Comment: The built module/,/which\.$/d' \
        >"$debian/copyright"
    with_banner util/nginx.org/postinst.in >"$debian/postinst"
    changelog nginx-module-judge "$full-1~$suite" "$suite" \
        "base version updated to $nginx_version" >"$debian/changelog"

    cd "$work/judge-$version"
    DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS-parallel=$(nproc)} \
        dpkg-buildpackage -us -uc -b -nc -d
    mv ../nginx-module-judge_*.deb ../..
}
