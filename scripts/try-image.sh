#!/usr/bin/env bash
# What Dockerfile and docker-compose.yml promise, without Docker: the program alone in a read-only root, as user 65532, without
# capabilities and without new privileges, on port 443 under Apple's name. Needs root, for namespaces.
# usage: scripts/try-image.sh PROGRAM
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "$1")
if [ "$(id -u)" != 0 ] || ! unshare --mount --net true 2>/dev/null; then echo "try-image.sh: left out; it needs root and namespaces"; exit 0; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/root/state" "$work/root/proc"
install -m 755 "$program" "$work/root/mock-apns"
install -d -m 700 -o 65532 -g 65532 "$work/state"
# The settings of the image, and over them those of the compose file.
settings=$(sed -n '/^ENV /,/[^\\]$/p' "$here/Dockerfile" | grep -o 'MOCK_APNS_[A-Z_]*=[^ \\]*')
settings+=" $(sed -n 's/^ *\(MOCK_APNS_[A-Z_]*\): */\1=/p' "$here/docker-compose.yml")"
export work settings program
unshare --mount --net bash -euo pipefail <<'INSIDE'
ip link set lo up
echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start
mount --make-rprivate /
mount --bind "$work/root" "$work/root"
mount -o remount,bind,ro "$work/root"
mount --bind "$work/state" "$work/root/state"
mount --bind /proc "$work/root/proc"
cd "$work"
mkfifo ready
# Capabilities end with the change of user, and no new privileges keep a program from getting them back.
contained() { # COMMAND... as the container's user in the container's root
    # shellcheck disable=SC2086 # a list of words on purpose
    exec env -i PATH="$PATH" $settings setpriv --no-new-privs chroot --userspec=65532:65532 --groups= "$work/root" "$@"
}
contained /mock-apns serve >ready &
server=$!
trap 'kill $server; wait $server || true' EXIT
timeout 20 head -n 1 ready
(contained /mock-apns ready)
grep -E '^(Uid|CapEff|NoNewPrivs)' "/proc/$server/status"
[ "$(awk '/^CapEff/ { print $2 }' "/proc/$server/status")" = 0000000000000000 ]
# Nothing but its state can be written.
(contained /mock-apns openapi -O /made 2>/dev/null) && { echo "the root can be written" >&2; exit 1; }
# An unmodified sender: Apple's name, port 443, the CA from the admin API, a key that it makes there.
curl -fsS -o ca.pem http://127.0.0.1:2198/v1/ca.pem
curl -fsS -X POST -H 'content-type: application/json' -d '{}' -o key.json http://127.0.0.1:2198/v1/keys
python3 - <<'PYTHON'
import json
key = json.load(open("key.json"))
open("key.p8", "w").write(key["p8"])
open("name", "w").write(f"key.p8:{key['keyId']}:{key['teamId']}")
PYTHON
"$program" send --url https://127.0.0.1:443 --ca ca.pem --key "$(cat name)" --to "$(printf 'ab%.0s' $(seq 32))" --title Hello
curl -sS --http2 --cacert ca.pem --resolve api.push.apple.com:443:127.0.0.1 -o /dev/null -w '%{http_code} over https://api.push.apple.com\n' -X POST \
    https://api.push.apple.com/3/device/00
INSIDE
