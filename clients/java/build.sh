#!/usr/bin/env bash
# Compiles the client with javac and Debian's JUnit 5.
# usage: build.sh jar OUT PROGRAM    the jars: the client, and the program for its platform
#        build.sh test PROGRAM       the client's own suites, and a newcomer's test with the jars
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lib=${JUNIT_LIB:-/usr/share/java}
api=$lib/junit-jupiter-api.jar:$lib/junit-platform-commons.jar:$lib/opentest4j.jar:$lib/apiguardian-api.jar
run=$api:$lib/junit-jupiter-engine.jar:$lib/junit-platform-engine.jar:$lib/junit-platform-launcher.jar:$lib/junit-platform-console.jar:$lib/junit-platform-reporting.jar:$lib/opentest4j-reporting-events.jar:$lib/picocli.jar
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

compile() { # CLASSES CLASSPATH SOURCE...
    mkdir -p "$1"
    javac -J-XX:TieredStopAtLevel=1 --release 17 -Xlint:all,-path -Werror -encoding UTF-8 -d "$1" -cp "$2" "${@:3}"
}

# What file(1) would say, from the bytes: linux-x64 and so on.
platform() {
    case $(od -An -tx1 -N20 "$1" | tr -d ' \n') in
        7f454c46????????????????????????????3e00) echo linux-x64 ;;
        7f454c46????????????????????????????b700) echo linux-arm64 ;;
        cffaedfe07000001*) echo darwin-x64 ;;
        cffaedfe0c000001*) echo darwin-arm64 ;;
        *) echo "$1 is no program for Linux or macOS on x86-64 or arm64" >&2; exit 65 ;;
    esac
}

jars() { # OUT PROGRAM
    local out=$1 program=$2 version made date
    version=$("$program" version)
    version=${version##* }
    made=$(platform "$program")
    # The same input makes the same bytes.
    date=$(python3 -c 'import sys, time; print(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(sys.argv[1]))))' "${SOURCE_DATE_EPOCH:-315532802}")
    mkdir -p "$out" "$folder/pack/mockapns/$made"
    compile "$folder/classes" "$api" "$here"/src/mockapns/*.java
    printf 'Implementation-Title: mock-apns\nImplementation-Version: %s\nAutomatic-Module-Name: mockapns\n' "$version" >"$folder/manifest"
    cp "$here/../../LICENSE" "$folder/classes/LICENSE"
    jar --create --date="$date" --file "$out/mock-apns-$version.jar" --manifest "$folder/manifest" -C "$folder/classes" .
    cp "$program" "$folder/pack/mockapns/$made/mock-apns"
    cp "$here/../../LICENSE" "$folder/pack/LICENSE"
    jar --create --date="$date" --file "$out/mock-apns-$version-$made.jar" -C "$folder/pack" .
    echo "$out/mock-apns-$version.jar"
    echo "$out/mock-apns-$version-$made.jar"
}

console() { # CLASSPATH CLASSES
    # Short runs: the first compiler is enough.
    java -XX:TieredStopAtLevel=1 -cp "$1" org.junit.platform.console.ConsoleLauncher --disable-banner --details "${DETAILS:-summary}" --fail-if-no-tests \
        --config junit.jupiter.execution.parallel.enabled=true \
        --config junit.jupiter.execution.parallel.config.strategy=fixed \
        --config junit.jupiter.execution.parallel.config.fixed.parallelism=50 \
        --scan-classpath "$2"
}

# The Nth block of code of the README.
block() { awk -v n="$1" '/^```/ { if (open) { open = 0 } else { open = 1; count++ } next } open && count == n' "$here/README.md"; }

case ${1:-} in
    jar)
        jars "$2" "$3"
        ;;
    test)
        program=$(realpath "$2")
        jars "$folder/jars" "$program"
        paths=$(printf '%s:' "$folder"/jars/*.jar)
        client=$(find "$folder/jars" -name "mock-apns-*.jar" ! -name "*-linux-*" ! -name "*-darwin-*")
        compile "$folder/tests" "$client:$run" "$here"/test/mockapns/*.java
        MOCK_APNS_PROGRAM=$program console "$client:$folder/tests:$run" "$folder/tests"
        # The container class is compiled against the outlines of what it uses; Testcontainers cannot be had here.
        compile "$folder/container" "$client" "$here"/testcontainers/MockAPNsContainer.java $(find "$here/testcontainers/outlines" -name '*.java')
        # A newcomer: the jars on the class path, the test of the README, and no program anywhere else.
        mkdir "$folder/newcomer"
        {
            block 2
            cat "$here/test/Shop.txt"
        } >"$folder/newcomer/OrderTest.java"
        compile "$folder/newcomer" "$paths$api" "$folder/newcomer/OrderTest.java"
        env -u MOCK_APNS_PROGRAM DETAILS=tree bash -c "$(declare -f console); console '$paths$folder/newcomer:$run' '$folder/newcomer'"
        ;;
    *)
        sed -n '2,4s/^# //p' "$0" >&2
        exit 64
        ;;
esac
