#!/usr/bin/env bash
# A newcomer's way: an empty module, the file of a release, the program beside go.mod, the lines of the README.
# usage: test/install.sh PROGRAM (a program that this machine runs)
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The Nth block of code of the README.
block() { awk -v n="$1" '/^```/ { if (open) { open = 0 } else { open = 1; count++ } next } open && count == n' "$here/README.md"; }

"$here/pack.sh" "$folder" "$1"
cp "$1" "$folder/mock-apns"
cd "$folder"
export GOPROXY=off GOFLAGS=-mod=mod
unset MOCK_APNS_PROGRAM
go mod init example >/dev/null 2>&1
block 1 >commands.sh
cat commands.sh
bash -euo pipefail commands.sh
{
    block 2
    cat <<'GO'

func placeOrder(number int, url string, client *http.Client, token string) {
	body := strings.NewReader(fmt.Sprintf(`{"aps":{"alert":{"title":"Shipped %d"}}}`, number))
	request, err := http.NewRequest("POST", url+"/3/device/"+strings.Repeat("ab", 32), body)
	if err != nil {
		panic(err)
	}
	request.Header.Set("authorization", "bearer "+token)
	request.Header.Set("apns-topic", "com.example.app")
	request.Header.Set("apns-push-type", "alert")
	if _, err := client.Do(request); err != nil {
		panic(err)
	}
}
GO
} | sed 's|^import (|import (\n\t"fmt"\n\t"net/http"\n\t"strings"|' >order_test.go
go test -count=1 -v .
