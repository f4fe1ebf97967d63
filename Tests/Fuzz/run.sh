#!/usr/bin/env bash
# Runs the fuzz targets, each for some seconds, from seeds that the test vectors give.
# usage: Tests/Fuzz/run.sh [seconds [target ...]]
# What breaks a promise is left as .build/fuzz/found/TARGET-…; a file of it is an input: MOCK_APNS_FUZZ=TARGET .build/fuzz/debug/Fuzz FILE
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
seconds=${1:-30}
targets=("${@:2}")
# The one list of targets is the table of the program.
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(sed -n 's/.*FuzzTarget(name: "\([^"]*\)".*/\1/p' Tests/Fuzz/FuzzTarget.swift)

MOCK_APNS_FUZZ_BUILD=1 swift build --product Fuzz --scratch-path .build/fuzz --sanitize fuzzer --sanitize address \
  -Xswiftc -sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp 2>&1 | grep -v "Cannot export local symbol"

python3 - <<'PYTHON'
"""Seeds: what the vectors of the tests hold, a file each."""
import json, pathlib
vectors, seeds = pathlib.Path("Tests/Vectors"), pathlib.Path(".build/fuzz/seeds")
def put(target, number, text):
    folder = seeds / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"seed-{number}").write_bytes(text if isinstance(text, bytes) else text.encode())
def strings(value):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from strings(inner)
            if isinstance(inner, (dict, list)): yield json.dumps(inner)
    elif isinstance(value, list):
        for inner in value: yield from strings(inner)
    elif isinstance(value, str) and value[:1] in "{[": yield value
for number, text in enumerate(strings(json.loads((vectors / "payloads.json").read_text()))):
    put("payload", number, bytes([number % 256]) + text.encode())
for number, path in enumerate(sorted((vectors / "json-test-suite").rglob("*.json"))):
    put("payload", f"suite-{number}", b"\x00" + path.read_bytes())
    put("json5", f"suite-{number}", path.read_bytes())
put("json5", 0, "// a\n{ a: 'b', \"c\": +0x1F, d: [1, .5, 2.,], /* e */ f: Infinity }")
put("request", 0, "\x01:method: POST\n:path: /3/device/" + "ab" * 32 + "\napns-topic: com.example.app\napns-push-type: alert\n"
    "authorization: bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ.eyJpc3MiOiJERUYxMjNHSElKIiwiaWF0IjoxNzY4NDY5NDAwfQ.AAAA\n\n{\"aps\":{\"alert\":\"a\"}}")
put("request", 1, "\x02:method: POST\n:path: /1/apps/com.example.app/channels\n\n{\"message-storage-policy\":1,\"push-type\":\"LiveActivity\"}")
put("http2", 0, bytes([255]) + bytes([0, 0, 8, 6, 0, 0, 0, 0, 0]) + bytes(8))
put("http2", 1, bytes([255]) + bytes([0, 0, 5, 1, 5, 0, 0, 0, 1]) + b"\x83\x87\x84\x41\x00")
put("matcher", 0, json.dumps({"device": "ab*", "aps.badge": {"gt": 0}, "not": {"topic": {"regex": "^a(b|c)*$"}}, "anyOf": [{"type": ["alert"]}]}))
put("rule", 0, json.dumps({"id": "a", "match": {"topic": "a*"}, "when": {"per": "device", "times": 2, "probability": 0.5}, "then": {"reason": "Unregistered", "timestamp": "-1h", "delay": {"lognormal": {"median": "80ms", "sigma": 0.4, "max": "2s"}}}}))
put("rule", 1, json.dumps({"sequence": [{"fault": "goaway", "code": "NO_ERROR", "lastStream": "all"}, {"response": {"status": 500, "body": ""}}], "atEnd": "last"}))
put("words", 0, 'title:"your order" type:alert !is:rejected has:attachment-url larger:3k finding:L004')
put("strings", 0, '/* a */ "KEY" = "A %1$@ \\"b\\" \\U00e9";\n// c\nother = \'x\';')
put("entry", 0, json.dumps({"id": "n_1", "seq": 1, "namespace": "default", "outcome": "accepted", "receivedAt": "2026-01-15T09:30:00.123Z", "device": "ab" * 32, "topic": "a.b", "pushType": "alert", "priority": 10, "payload": {"aps": {"alert": "a"}}, "response": {"status": 200}}))
PYTHON

mkdir -p .build/fuzz/found
for target in "${targets[@]}"; do
    echo "== $target, $seconds s"
    mkdir -p ".build/fuzz/corpus/$target" ".build/fuzz/seeds/$target"
    MOCK_APNS_FUZZ=$target SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 .build/fuzz/debug/Fuzz -max_total_time="$seconds" -max_len=8192 -timeout=10 \
        -dict=Tests/Fuzz/apns.dict -artifact_prefix=".build/fuzz/found/$target-" -print_final_stats=0 -verbosity=1 \
        ".build/fuzz/corpus/$target" ".build/fuzz/seeds/$target" 2>&1 | grep -aE 'DONE|SUMMARY|Fatal|fatal|ERROR|cov:|Test unit' | tail -3
done
