// Pushes with the certificate of a .p12 file, as senders in Go read it: p12_push FILE PASSWORD CA URL TOPIC
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"golang.org/x/crypto/pkcs12"
)

func main() {
	bytes, err := os.ReadFile(os.Args[1])
	check(err)
	key, certificate, err := pkcs12.Decode(bytes, os.Args[2])
	check(err)
	authority, err := os.ReadFile(os.Args[3])
	check(err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	client := http.Client{Transport: &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{
			RootCAs:      pool,
			Certificates: []tls.Certificate{{Certificate: [][]byte{certificate.Raw}, PrivateKey: key}},
		},
	}}
	request, err := http.NewRequest("POST", os.Args[4], strings.NewReader(`{"aps":{"alert":"hi"}}`))
	check(err)
	request.Header.Set("apns-topic", os.Args[5])
	response, err := client.Do(request)
	check(err)
	fmt.Println(response.StatusCode, response.Proto)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
