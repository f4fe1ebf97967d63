#!/usr/bin/env bash
# What a release does besides `make dist`.
# usage: scripts/release.sh check TAG                 the tag is v and the version, and CHANGELOG.md has its section
#        scripts/release.sh notes TAG                 prints that section
#        scripts/release.sh merge TAG PARTS OUT       one folder from those that `make dist` made on several machines
#        scripts/release.sh publish TAG OUT           makes the release with gh
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n '3,6s/^# //p' "$0" >&2; exit 64; }
[ $# -ge 2 ] || usage
tag=$2
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$here/Sources/Server/Start/Version.swift")

notes() { awk -v wanted="## $version" '$0 == wanted || index($0, wanted " ") == 1 { on = 1; next } /^## / { on = 0 } on' "$here/CHANGELOG.md"; }

check() {
    [ "$tag" = "v$version" ] || { echo "release.sh: the tag is '$tag', and the source is version $version; expected v$version" >&2; exit 65; }
    [ -n "$(notes)" ] || { echo "release.sh: CHANGELOG.md has no section '## $version'; rename Unreleased" >&2; exit 65; }
}

case $1 in
    check) check ;;
    notes) check && notes ;;
    merge)
        [ $# = 4 ] || usage
        check
        mkdir -p "$4"
        [ -z "$(ls -A "$4")" ] || { echo "release.sh: $4 is not empty" >&2; exit 65; }
        for part in "$3"/*/; do
            (cd "$part" && sha256sum --check --quiet SHA256SUMS)
            for file in "$part"*; do
                name=$(basename "$file")
                # Each machine makes what is for any machine too, and all must agree. The npm package and its names of
                # platforms are made again below.
                case $name in SHA256SUMS | "mock-apns-$version.tgz") continue ;; esac
                if [ -e "$4/$name" ] && ! cmp -s "$file" "$4/$name"; then
                    case $name in
                        # Compilers of other machines may differ in a jar's bytes; the first is taken.
                        *.jar) continue ;;
                        *) echo "release.sh: $name is not the same from all machines" >&2; exit 65 ;;
                    esac
                fi
                cp "$file" "$4/$name"
            done
        done
        # One npm package that names the packages of all platforms.
        programs=()
        for archive in "$4"/mock-apns-"$version"-linux-*.tar.gz; do
            machine=${archive##*-linux-}
            machine=${machine%.tar.gz}
            mkdir -p "$here/.build/merge/$machine"
            tar -xzf "$archive" -C "$here/.build/merge/$machine" --strip-components 1
            programs+=("$here/.build/merge/$machine/mock-apns")
        done
        VERSION=$version "$here/clients/node/pack.js" "$4" "${programs[@]}"
        (cd "$4" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
        ;;
    publish)
        [ $# = 3 ] || usage
        check
        notes >"$here/.build/notes.md"
        gh release create "$tag" --verify-tag --title "mock-apns $version" --notes-file "$here/.build/notes.md" "$3"/*
        ;;
    *) usage ;;
esac
