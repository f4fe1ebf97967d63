package mockapns

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"time"
)

// ProviderToken is a provider token of the namespace's key, issued at a time, for senders without a library.
func (a *APNs) ProviderToken(issued time.Time) string {
	a.t.Helper()
	token, err := sign(a.Key, Fields{"alg": "ES256", "kid": a.KeyID}, Fields{"iss": a.TeamID, "iat": issued.Unix()})
	if err != nil {
		a.t.Fatalf("%v", err)
	}
	return token
}

func sign(key string, header, claims Fields) (string, error) {
	block, _ := pem.Decode([]byte(key))
	if block == nil {
		return "", fmt.Errorf("the key is no PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	private, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return "", fmt.Errorf("the key is no EC key")
	}
	text := ""
	for _, part := range []Fields{header, claims} {
		encoded, err := json.Marshal(part)
		if err != nil {
			return "", err
		}
		text += base64.RawURLEncoding.EncodeToString(encoded) + "."
	}
	text = text[:len(text)-1]
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, private, digest[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}
