package mockapns

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// sender is what a service that sends pushes looks like: a provider token that is kept, retries, a clean-up.
type sender struct {
	url, token string
	client     *http.Client
	devices    map[string]bool
}

type answer struct {
	status    int
	Reason    string
	Timestamp int64
}

func newSender(apns *APNs, devices ...string) *sender {
	made := &sender{url: apns.URL, token: apns.ProviderToken(time.Now()), client: apns.Client(), devices: map[string]bool{}}
	for _, device := range devices {
		made.devices[device] = true
	}
	return made
}

// push sends to a device until it is accepted or refused for good.
func (s *sender) push(t *testing.T, device, title string, fields ...string) answer {
	t.Helper()
	for tries := 3; ; tries-- {
		got, err := s.request(device, title, fields)
		if (err != nil || got.status == http.StatusTooManyRequests) && tries > 1 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got.status == http.StatusGone {
			delete(s.devices, device)
		}
		return got
	}
}

func (s *sender) request(device, title string, fields []string) (answer, error) {
	payload := fmt.Sprintf(`{"aps":{"alert":{"title":%q}}}`, title)
	request, err := http.NewRequest("POST", s.url+"/3/device/"+device, strings.NewReader(payload))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("authorization", "bearer "+s.token)
	request.Header.Set("apns-topic", "com.example.app")
	request.Header.Set("apns-push-type", "alert")
	for at := 0; at+1 < len(fields); at += 2 {
		request.Header.Set(fields[at], fields[at+1])
	}
	response, err := s.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	got := answer{status: response.StatusCode}
	text, err := io.ReadAll(response.Body)
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &got)
	}
	return got, err
}

// failing is a T that keeps what a test would have failed with.
type failing struct {
	*testing.T
	text string
}

type stopped struct{}

func (f *failing) Fatalf(format string, arguments ...any) {
	f.text = fmt.Sprintf(format, arguments...)
	panic(stopped{})
}

// failure runs what is expected to fail, and gives the words that it failed with.
func (f *failing) failure(run func()) (text string) {
	f.Helper()
	defer func() {
		if caught := recover(); caught != nil {
			if _, ours := caught.(stopped); !ours {
				panic(caught)
			}
			text = f.text
		}
	}()
	run()
	f.Fatal("it did not fail")
	return ""
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}
