#!/usr/bin/env bash
# Writes the Homebrew formula of a version: address and checksum are those of the source archive that was made.
# usage: packaging/homebrew/formula.sh VERSION ARCHIVE      REPOSITORY: where releases are; without it, beside the formula
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
file=$(basename "$2")
# shellcheck disable=SC2016 # Ruby's, not the shell's
url='file://#{__dir__}/'$file
[ -z "${REPOSITORY:-}" ] || url=$REPOSITORY/releases/download/v$1/$file
sum=$(sha256sum "$2")
sed -e '/^#:/d' -e "s|@URL@|$url|" -e "s|@VERSION@|$1|" -e "s|@SHA256@|${sum%% *}|" -e "s|@HOMEPAGE@|${REPOSITORY:-https://localhost/mock-apns}|" "$here/mock-apns.rb"
