#!/usr/bin/env bash
# Fetches the program of a release, checks it, and puts it into a folder.
# usage: install.sh VERSION ADDRESS FOLDER      ADDRESS: where SHA256SUMS is, https:// or file://
set -euo pipefail
version=$1 address=$2 folder=$3
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.-]*$ ]] || { echo "setup-mock-apns: '$version' is no version; expected one such as 0.1.0" >&2; exit 64; }
case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) file=mock-apns-$version-linux-x86_64.tar.gz ;;
    Linux-aarch64 | Linux-arm64) file=mock-apns-$version-linux-aarch64.tar.gz ;;
    *) echo "setup-mock-apns: there is no archive for $(uname -s) on $(uname -m); build from source with \`make build\`" >&2; exit 69 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for each in SHA256SUMS "$file"; do
    curl -fsSL --retry 3 --proto '=https,file' --proto-redir '=https' -o "$work/$each" "$address/$each" \
        || { echo "setup-mock-apns: $address/$each cannot be had; is there a release $version?" >&2; exit 69; }
done
(cd "$work" && grep -F "  $file" SHA256SUMS | sha256sum --check --quiet) || { echo "setup-mock-apns: $file is not what SHA256SUMS says" >&2; exit 65; }
mkdir -p "$folder"
tar -xzf "$work/$file" -C "$folder" --strip-components 1
"$folder/mock-apns" version
