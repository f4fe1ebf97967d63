#!/usr/bin/env bash
# Makes the Debian package from the unpacked archive of a release.
# usage: packaging/debian/build.sh TREE VERSION amd64|arm64 OUT
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$1 version=$2 architecture=$3 out=$4
: "${SOURCE_DATE_EPOCH:?the time of the files}"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
doc=$root/usr/share/doc/mock-apns

put() { install -D -m 644 "$1" "$root/$2"; }
install -D -m 755 "$tree/mock-apns" "$root/usr/bin/mock-apns"
put "$tree/completions/mock-apns.bash" usr/share/bash-completion/completions/mock-apns
put "$tree/completions/_mock-apns" usr/share/zsh/vendor-completions/_mock-apns
put "$tree/completions/mock-apns.fish" usr/share/fish/vendor_completions.d/mock-apns.fish
put "$tree/man/mock-apns.1" usr/share/man/man1/mock-apns.1
put "$here/mock-apns.service" usr/lib/systemd/user/mock-apns.service
put "$here/lintian-overrides" usr/share/lintian/overrides/mock-apns
put "$here/copyright" usr/share/doc/mock-apns/copyright
{
    for licence in "$tree"/licences/*.txt; do
        printf '==== %s\n\n' "$(basename "$licence" .txt)"
        cat "$licence"
        printf '\n'
    done
} >"$doc/licences-of-linked-libraries"
maintainer="The mock-apns authors <mock-apns@localhost.localdomain>"
printf 'mock-apns (%s) unstable; urgency=medium\n\n  * Version %s; what changed is in CHANGELOG.md.\n\n -- %s  %s\n' \
    "$version" "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" >"$doc/changelog"
cp "$tree/CHANGELOG.md" "$doc/CHANGELOG.md"
chmod 644 "$doc"/*
gzip -n9 "$root/usr/share/man/man1/mock-apns.1" "$doc/changelog" "$doc/CHANGELOG.md" "$doc/licences-of-linked-libraries"

mkdir "$root/DEBIAN"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<CONTROL
Package: mock-apns
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Section: devel
Priority: optional
Description: stand-in for Apple's Push Notification service, for tests
 A server that speaks HTTP/2 over TLS as APNs does, judges headers and
 payloads by Apple's rules, and keeps a log of what arrived. Tests ask it
 what was delivered, and let it fail as Apple's does.
CONTROL
chmod 644 "$root"/DEBIAN/*
find "$root" -type d -exec chmod 755 {} +
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz -b "$root" "$out/mock-apns_${version}_$architecture.deb"
