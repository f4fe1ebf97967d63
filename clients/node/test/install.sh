#!/usr/bin/env bash
# A newcomer's way: an empty folder, the tarballs, the lines of the README; then the scenarios with what was installed.
# usage: test/install.sh PROGRAM (a program that this machine runs)
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The Nth block of code of the README.
block() { awk -v n="$1" '/^```/ { if (open) { open = 0 } else { open = 1; count++ } next } open && count == n' "$here/README.md"; }

"$here/pack.js" "$folder" "$1"
cd "$folder"
export npm_config_offline=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false HOME="$folder"
unset MOCK_APNS_PROGRAM
block 1 >commands.sh
cat commands.sh
bash -euo pipefail commands.sh | tee output.txt
[ "$(tail -n 1 output.txt)" = "$("$1" version)" ]
[ "mock-apns $(node -p 'require("mock-apns/package.json").version')" = "$("$1" version)" ]

mkdir test
cp "$here/test/sender.js" "$here"/test/*.test.*js test/
{
    echo 'const placeOrder = (number, apns) => require("./sender.js").sender({ after() {} }, apns).push("ab".repeat(32), `Shipped ${number}`);'
    block 2
} >test/readme.test.js
node --test test/*.test.*js

# The launcher ends as the program does, and hands signals on.
code=0
npx mock-apns serve --no-such-flag 2>/dev/null || code=$?
[ "$code" = 64 ]
coproc server { exec node_modules/.bin/mock-apns serve --ephemeral --certs certs --log off --quiet; }
pid=$server_PID
read -r ready <&"${server[0]}"
kill -TERM "$pid"
wait "$pid"
admin=$(node -p 'JSON.parse(process.argv[1]).admin' "$ready")
if curl -sS "$admin/livez" 2>/dev/null; then
    echo "the server outlived its launcher" >&2
    exit 1
fi
