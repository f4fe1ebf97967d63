#!/usr/bin/env bash
# Makes the module as one file for those who install from files: mock-apns-go-VERSION.tar.gz with a folder mockapns.
# usage: pack.sh OUT PROGRAM (whose version it gets)
set -euo pipefail
mkdir -p "$1"
version=$("$2" version)
file=$1/mock-apns-go-${version##* }.tar.gz
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/mockapns"
cp "$here"/go.mod "$here"/README.md "$here"/../../LICENSE "$folder/mockapns"
find "$here" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cp {} "$folder/mockapns" \;
# The same input makes the same bytes.
chmod -R u=rwX,go=rX "$folder/mockapns"
tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-315532800}" -cf - mockapns | gzip -n9 >"$file"
echo "$file"
