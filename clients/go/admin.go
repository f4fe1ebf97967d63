package mockapns

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// admin calls the admin API of a server.
type admin struct {
	base   string
	client *http.Client
}

// observe sees every call; the tests compare them with the OpenAPI document.
var observe func(method, path string, body any)

func newAdmin(base string) *admin {
	// No proxy, whatever the environment says: the server is here. And no answer takes longer: it lets nobody wait for
	// more than a minute.
	// A connection for each call: a kept one could end between two calls of a slow test.
	transport := &http.Transport{DisableKeepAlives: true}
	return &admin{base, &http.Client{Transport: transport, Timeout: 75 * time.Second}}
}

// call gives status and text of an answer, whatever the status is.
func (a *admin) call(method, path, accept string, body any) (int, string, error) {
	if observe != nil {
		observe(method, path, body)
	}
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, "", fmt.Errorf("%s %s: %v; put values there that JSON has", method, path, err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, a.base+path, content)
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Accept", accept)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if token := os.Getenv("MOCK_APNS_ADMIN_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := a.client.Do(request)
	if err != nil {
		return 0, "", fmt.Errorf("the mock-apns server at %s does not answer (%v); see whether it still runs", a.base, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, "", fmt.Errorf("the mock-apns server at %s does not answer (%v); see whether it still runs", a.base, err)
	}
	return answer.StatusCode, string(text), nil
}

// json is a call that must succeed; the answer is read into result, unless that is nil.
func (a *admin) json(method, path string, body, result any) error {
	status, text, err := a.call(method, path, "application/json", body)
	if err != nil {
		return err
	}
	if status >= 300 {
		return fmt.Errorf("%s", inWords(status, text))
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal([]byte(text), result)
}

// inWords is a refusal in the words of the server's text form.
func inWords(status int, text string) string {
	var problem struct{ Title, Detail, Hint string }
	if json.Unmarshal([]byte(text), &problem) != nil {
		return strings.TrimSpace(text)
	}
	words := fmt.Sprintf("%d %s\n%s", status, problem.Title, problem.Detail)
	if problem.Hint != "" {
		words += "\nhint: " + problem.Hint
	}
	return words
}
