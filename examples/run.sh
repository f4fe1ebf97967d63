#!/usr/bin/env bash
# Runs the examples that can be run here, against a server of each one's own.
# usage: examples/run.sh PROGRAM
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

for line in "ruby order_test.rb" "php order_test.php" "elixir order_test.exs"; do
    read -r language file <<<"$line"
    echo "== mock-apns exec -- $line"
    # The README says the same line, and no example is longer than forty.
    grep -qF "mock-apns exec -- $line" "$here/README.md"
    [ "$(wc -l <"$here/$file")" -le 40 ]
    "$program" exec -q -- "$language" "$here/$file"
    # It can fail: a push that is refused unasked must be seen.
    if "$program" exec -q --unknown-devices reject -- "$language" "$here/$file" >failed.log 2>&1; then
        echo "$file passed where pushes are refused" >&2
        exit 1
    fi
done
