#!/usr/bin/env bash
# A newcomer's way with the files of a release: each block of "Get it" in README.md, in an empty environment without Swift.
# usage: scripts/try-dist.sh DIST [NAME...]      NAME: tarball, python, node, go, java, debian (default: all)
# debian installs a package on this machine and removes it; it needs root, and is left out without.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] && [ -f "$1/SHA256SUMS" ] || { echo "try-dist.sh: ${1:-no folder} has no SHA256SUMS; make it with \`make dist\`" >&2; exit 66; }
dist=$(realpath "$1")
shift
(cd "$dist" && sha256sum --check --quiet SHA256SUMS)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The Nth block of code below a heading of the README.
block() { awk -v heading="### $1" -v n="$2" '/^##/ { on = ($0 == heading); count = 0 } !on { next } /^```/ { if (open) { open = 0 } else { open = 1; count++ } next } open && count == n' "$here/README.md"; }

# A home of its own, and nothing of this machine's but the languages: no Swift, no settings, no network for packages.
tools=$work/tools
mkdir "$tools"
for each in node npm go java javac python3; do
    place=$(command -v "$each") || continue
    ln -s "$(realpath "$place")" "$tools/$each"
done
clean() { # FOLDER COMMAND...
    env -i -C "$1" HOME="$work/home" PATH="${EXTRA:+$EXTRA:}$tools:/usr/bin:/bin:/usr/sbin:/sbin" LANG=C.UTF-8 TMPDIR="$work" \
        npm_config_offline=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false \
        GOPROXY=off GOFLAGS=-mod=mod GOCACHE="${GOCACHE:-$HOME/.cache/go-build}" PIP_DISABLE_PIP_VERSION_CHECK=1 \
        timeout -k 5 300 "${@:2}"
}
mkdir "$work/home"
clean "$work" bash -c '! command -v swift && ! command -v mock-apns' || { echo "try-dist.sh: the environment has a Swift or a mock-apns already" >&2; exit 69; }
run() { # NAME HEADING: its first block, in its folder
    block "$2" 1 >"$work/$1/commands.sh"
    [ -s "$work/$1/commands.sh" ] || { echo "try-dist.sh: README.md has no commands under '$2'" >&2; exit 65; }
    sed 's/^/    /' "$work/$1/commands.sh"
    clean "$work/$1" bash -euo pipefail commands.sh
}
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$here/Sources/Server/Start/Version.swift")

try_tarball() {
    cp "$dist"/mock-apns-"$version"-linux-*.tar.gz .
    run tarball "Any Linux" | tee output.txt
    grep -q '^200 ' output.txt
    [ "$(clean . ./mock-apns version)" = "mock-apns $version" ]
    man --warnings -E UTF-8 -l -Tutf8 -Z man/mock-apns.1 2>&1 >/dev/null | tee warnings.txt
    [ ! -s warnings.txt ]
    bash -n completions/mock-apns.bash
}

try_python() {
    # pytest is what a newcomer has; all else comes from the wheel, with pip's registry off.
    "$(command -v python3)" -m venv environment
    environment/bin/pip install --quiet --disable-pip-version-check pytest
    cp "$dist"/*.whl .
    block Python 2 >test_order.py
    EXTRA=$PWD/environment/bin run python Python
}

try_node() {
    cp "$dist"/*.tgz .
    echo '{"private": true}' >package.json
    block Node 2 >order.test.mjs
    run node Node
}

try_go() {
    cp "$dist"/mock-apns-go-*.tar.gz .
    tar -xzf "$dist/mock-apns-$version"-linux-*.tar.gz --strip-components 1 --wildcards '*/mock-apns'
    printf 'module example\n\ngo 1.19\n' >go.mod
    block Go 2 >order_test.go
    run go Go
}

try_java() {
    local lib=${JUNIT_LIB:-/usr/share/java} classes each
    cp "$dist"/*.jar .
    classes=$(printf '%s:' "$PWD"/*.jar)
    for each in jupiter-api jupiter-engine platform-commons platform-engine platform-launcher platform-console platform-reporting; do classes+=$lib/junit-$each.jar:; done
    for each in opentest4j apiguardian-api opentest4j-reporting-events picocli; do classes+=$lib/$each.jar:; done
    block "Java, Kotlin" 1 >OrderTest.java
    clean . javac --release 17 -cp "$classes" -d classes OrderTest.java
    clean . java -cp "$classes$PWD/classes" org.junit.platform.console.ConsoleLauncher --disable-banner --details tree --fail-if-no-tests --scan-classpath classes
}

try_debian() {
    [ "$(id -u)" = 0 ] || { echo "    left out: it needs root"; return 0; }
    [ -z "$(dpkg-query -W -f '${Status}' mock-apns 2>/dev/null)" ] || { echo "try-dist.sh: mock-apns is installed here already; remove it" >&2; return 69; }
    cp "$dist"/mock-apns_*.deb .
    # Whatever happens, it is gone afterwards.
    trap 'dpkg -r mock-apns >/dev/null 2>&1 || true' EXIT
    # Root needs no sudo, which a container may lack.
    block "Debian and Ubuntu" 1 | sed 's/^sudo //' >commands.sh
    sed 's/^/    /' commands.sh
    clean . bash -euo pipefail commands.sh | tee output.txt
    grep -q '^200 ' output.txt
    [ "$(clean . mock-apns version)" = "mock-apns $version" ]
    dpkg -L mock-apns | grep '/mock-apns' >files.txt
    grep -q '/man1/mock-apns.1.gz$' files.txt
    dpkg -r mock-apns >/dev/null
    while read -r file; do [ ! -e "$file" ] || { echo "try-dist.sh: $file was left behind" >&2; return 1; }; done <files.txt
}

[ $# -gt 0 ] || set -- tarball python node go java debian
for name; do
    began=$EPOCHREALTIME
    echo "== $name"
    mkdir "$work/$name"
    ( cd "$work/$name"; "try_$name" )
    awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "   %.1f s\n", b - a }'
done
