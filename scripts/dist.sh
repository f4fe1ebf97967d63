#!/usr/bin/env bash
# Makes everything that a release has from one static program, and checks it: the same input gives the same bytes.
# usage: scripts/dist.sh PROGRAM OUT
#   SOURCE_DATE_EPOCH  the time in all archives (default: that of the commit)
#   SIZE_LIMIT         the most bytes that the program may have (default: 19000000)
#   REPOSITORY         the address whose /releases/download/vVERSION/ has the files, for the formula
# Run it on the machine that built the program: the licences and versions of what is linked in are those of its packages.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
[ $# = 2 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 64; }
refuse() { echo "dist.sh: $*" >&2; exit 65; }
[ -f "$1" ] || { echo "dist.sh: there is no program $1; build it with \`make static\`, or give PROGRAM=FILE" >&2; exit 66; }
program=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
# Nobody publishes what another run left here by mistake.
[ -z "$(ls -A "$out")" ] || [ -f "$out/SHA256SUMS" ] || refuse "$out has files that no earlier run made; give an empty folder"
rm -rf "${out:?}"/*

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
umask 022

# What the program is.
case $(od -An -tx1 -N20 "$program" | tr -d ' \n') in
    7f454c46????????????????????????????3e00) machine=x86_64 debian=amd64 ;;
    7f454c46????????????????????????????b700) machine=aarch64 debian=arm64 ;;
    *) refuse "$program is no Linux program for x86-64 or arm64" ;;
esac
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$here/Sources/Server/Start/Version.swift")
[ -n "$version" ] || refuse "Sources/Server/Start/Version.swift has no version"
linked=$(ldd "$program" 2>&1 || true)
grep -q -E 'not a dynamic executable|statically linked' <<<"$linked" || refuse "$program needs libraries of the machine; build it with \`make static\`:
$linked"
said=$("$program" version 2>/dev/null) || refuse "$program is for $machine, and \`mock-apns version\` does not run here ($(uname -m)); run this on the machine that built it"
[ "$said" = "mock-apns $version" ] || refuse "$program says '$said', and the source is version $version; build the program anew"
size=$(stat -c %s "$program")
limit=${SIZE_LIMIT:-19000000}
[ "$size" -le "$limit" ] || refuse "$program has $size bytes, $limit are allowed; docs/performance.md says what takes the room"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pack() { # FILE FOLDER NAME: a tar archive with the same bytes each time
    tar -C "$2" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$3" | gzip -n9 >"$1"
}

# The program with what belongs to it.
name=mock-apns-$version-linux-$machine
tree=$work/$name
mkdir -p "$tree/completions" "$tree/man" "$tree/licences"
install -m 755 "$program" "$tree/mock-apns"
"$program" completions bash >"$tree/completions/mock-apns.bash"
"$program" completions zsh >"$tree/completions/_mock-apns"
"$program" completions fish >"$tree/completions/mock-apns.fish"
"$here/scripts/manpage.py" "$program" "$SOURCE_DATE_EPOCH" >"$tree/man/mock-apns.1"
cp "$here/LICENSE" "$here/CHANGELOG.md" "$tree"
"$here/scripts/linked.py" licences "$program" "$tree/licences"
pack "$out/$name.tar.gz" "$work" "$name"
"$here/scripts/linked.py" sbom "$program" "$version" "$out/$name.cdx.json"

# The source, of the commit; the formula builds it.
git -C "$here" archive --prefix="mock-apns-$version/" HEAD | gzip -n9 >"$out/mock-apns-$version-source.tar.gz"
"$here/packaging/homebrew/formula.sh" "$version" "$out/mock-apns-$version-source.tar.gz" >"$out/mock-apns.rb"

# What each language installs.
"$here/packaging/debian/build.sh" "$tree" "$version" "$debian" "$out" >/dev/null
make -s -C "$here" wheel npm go jar PROGRAM="$program" OUT="$out" >/dev/null

(cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum) >"$work/sums"
mv "$work/sums" "$out/SHA256SUMS"
(cd "$out" && stat -c '%s %n' -- * | awk '{ printf "%11d  %s\n", $1, $2 }')
