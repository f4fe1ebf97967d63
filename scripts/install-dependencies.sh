#!/usr/bin/env bash
# Installs the system packages that the build (and with "test" the test suites, with "page" the test of the web page, with "bench" the benchmarks) need and that are missing; says so.
# For the clients (node, python, go, java, examples) and for packages (dist) it installs the language, where its command is missing; they need no Swift.
# usage: scripts/install-dependencies.sh [build|test|page|bench|static|node|python|go|java|examples|dist]
set -euo pipefail

purpose=${1:-build}

# What brings a command, as COMMAND:PACKAGE. Languages are often there from elsewhere than Debian, and then not installed anew.
case $purpose in
    node) commands="node:nodejs npm:npm tsc:node-typescript curl:curl" ;;
    python) commands="python3:python3" ;;
    go) commands="go:golang-go" ;;
    java) commands="javac:openjdk-17-jdk-headless" ;;
    dist) commands="python3:python3 ruby:ruby lintian:lintian" ;;
    examples) commands="ruby:ruby php:php-cli elixir:elixir" ;;
    *) commands="" ;;
esac

if [ -z "$commands" ] && ! command -v swift >/dev/null 2>&1; then
    echo "mock-apns needs a Swift 6.2 toolchain or later on PATH (https://www.swift.org/install)" >&2
    exit 69
fi

if command -v apt-get >/dev/null 2>&1; then
    # The -dev packages bring the static archives too, so a static build needs nothing more.
    wanted="libnghttp2-dev libssl-dev libevent-dev pkg-config"
    [ "$purpose" = test ] && wanted="$wanted nghttp2-client curl openssl python3 python3-venv iproute2 golang-go golang-golang-x-crypto-dev ruby"
    [ "$purpose" = page ] && wanted="$wanted curl python3 python3-venv chromium"
    [ "$purpose" = bench ] && wanted="$wanted nghttp2-client openssl python3 valgrind gcc libc6-dev"
    missing=""
    if [ -n "$commands" ]; then
        wanted=""
        [ "$purpose" = java ] && wanted="junit5"
        # The interpreter of Debian comes without venv; one from elsewhere has it.
        { [ "$purpose" = python ] || [ "$purpose" = dist ]; } && ! python3 -c 'import ensurepip' 2>/dev/null && wanted="python3-venv"
        [ "$purpose" = examples ] && wanted="php-curl"
        for pair in $commands; do
            command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair##*:}"
        done
    fi
    for package in $wanted; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing="$missing $package"
    done
    [ -z "$missing" ] && exit 0
    root=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null 2>&1 || { echo "please install, as root: apt-get install$missing" >&2; exit 69; }
        root=sudo
    fi
    echo "installing system packages:$missing"
    $root apt-get update -qq
    # shellcheck disable=SC2086 # a list of words on purpose
    DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends $missing >/dev/null
elif [ -n "$commands" ]; then
    for pair in $commands; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || { echo "please install ${pair%%:*}" >&2; exit 69; }
    done
elif command -v brew >/dev/null 2>&1; then
    wanted="libnghttp2 openssl@3 libevent pkgconf"
    [ "$purpose" = test ] && wanted="$wanted nghttp2 python@3"
    missing=""
    for formula in $wanted; do brew list --versions "$formula" >/dev/null 2>&1 || missing="$missing $formula"; done
    [ -z "$missing" ] && exit 0
    echo "installing with Homebrew:$missing"
    # shellcheck disable=SC2086
    brew install --quiet $missing
else
    echo "neither apt-get nor brew found; please install the development files of libnghttp2, OpenSSL 3 and libevent 2.1" >&2
    exit 69
fi
