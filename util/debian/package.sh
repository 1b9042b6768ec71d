# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# A part of util/package: the packages for Debian's own nginx, and what those
# for others take from here.
#
# shellcheck shell=bash disable=SC2034,SC2154,SC2164

name=libnginx-mod-http-judge
arch=$(dpkg --print-architecture 2>/dev/null || uname -m)
maintainer=$(sed -n 's/^Maintainer: //p' util/debian/control)
debian_result=$out/${name}_${version}_$arch.deb

# docs/CHANGES as Debian writes it: those of this version, and a whole entry.
changes() {
    awk -v version="$version" '
        /^Changes with / { of = $NF }
        of == version && !/^Changes/ && NF {
            sub(/^ *\*\) /, "  * ") || sub(/^ */, "    ")
            print
        }' docs/CHANGES
}

written() {
    local when

    when=$(git log -1 --format=%cD -- docs/CHANGES 2>/dev/null || true)
    printf '%s\n' "${when:-$(date -R -r docs/CHANGES)}"
}

# changelog PACKAGE VERSION SUITE [FIRST]
changelog() {
    printf '%s (%s) %s; urgency=medium\n\n' "$1" "$2" "$3"
    printf '%s' "${4:+  * $4$'\n'}"
    changes
    printf '\n -- %s  %s\n' "$maintainer" "$(written)"
}


# The license's text, as a field.
copyright() {
    cat util/debian/copyright.head
    sed -n '3,$s/^/ /p' docs/LICENSE | sed 's/^ $/ ./'
}

debian_package() {
    local work=$out/$name-$version

    rm -rf "$work" "$out"/lib*.deb "$out"/judgectl*.deb
    mkdir -p "$work"
    cp -r "${tree[@]}" util/debian "$work"
    changelog "$name" "$version" unstable >"$work/debian/changelog"
    copyright >"$work/debian/copyright"
    rm "$work/debian/copyright.head" "$work/debian/package.sh"

    # Half a minute's work, and the same here; newer than the copy.
    flock build/.lock make -s -j"$(nproc)" -f util/Makefile gen
    mkdir -p "$work/build/obj"
    cp -r build/obj/gen "$work/build/obj"

    cd "$work"
    DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS-parallel=$(nproc)} \
        dpkg-buildpackage -us -uc -b -nc
}
