package mockapns

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// APNs is a world of its own on a server: a log, devices, rules, keys and a clock that no other test sees.
//
// Its methods end the test when the server refuses or an expectation is not met, and so are for the test's own goroutine.
type APNs struct {
	// Name of the namespace, and the path of its part of the admin API.
	Name, Base string
	// URL is where senders push over TLS; H2CURL and HTTP1URL in clear text, as HTTP/2 and as HTTP/1.1.
	URL, H2CURL, HTTP1URL string
	Host                  string
	Port                  int
	// CA is the test CA that senders must trust, as PEM.
	CA string
	// Key is what senders sign with, the text of a .p8 file.
	Key, KeyID, TeamID string
	// Clock is the namespace's.
	Clock *Clock

	t      T
	server *server
	path   string
	once   sync.Once
}

type namespaceFacts struct {
	Name string
	APNs *struct {
		Host                     string
		Port, H2CPort, HTTP1Port int
	}
	Key struct{ P8, KeyID, TeamID string }
}

func newAPNs(t T, server *server, made namespaceFacts) (*APNs, error) {
	path := "/v1/ns/" + url.PathEscape(made.Name)
	apns := &APNs{
		Name: made.Name, Base: server.admin.base + path, CA: server.ca,
		Key: made.Key.P8, KeyID: made.Key.KeyID, TeamID: made.Key.TeamID, t: t, server: server, path: path,
	}
	own := func(scheme string, port int, shared place) string {
		if port == 0 {
			return shared.URL
		}
		return fmt.Sprintf("%s://%s:%d", scheme, made.APNs.Host, port)
	}
	ports := made.APNs
	if ports == nil {
		apns.URL, apns.H2CURL, apns.HTTP1URL = server.facts.APNs.URL, server.facts.H2C.URL, server.facts.HTTP1.URL
	} else {
		apns.URL = own("https", ports.Port, server.facts.APNs)
		apns.H2CURL = own("http", ports.H2CPort, server.facts.H2C)
		apns.HTTP1URL = own("http", ports.HTTP1Port, server.facts.HTTP1)
	}
	parsed, err := url.Parse(apns.URL)
	if err != nil {
		return nil, err
	}
	apns.Host = parsed.Hostname()
	apns.Port, _ = strconv.Atoi(parsed.Port())
	apns.Clock = &Clock{apns}
	return apns, nil
}

// Match holds conditions that must all hold; see "Matcher objects" in docs/admin-api.md.
type Match map[string]any

// An Expectation says how many pushes must match, and by when.
type Expectation func(Fields)

// Count asks for at least so many; one, unless told.
func Count(number int) Expectation { return func(f Fields) { f["count"] = number } }

// Exactly asks for so many and no more.
func Exactly(number int) Expectation { return func(f Fields) { f["exactly"] = number } }

// Within says how long to wait at most: 5 s, unless told.
func Within(time time.Duration) Expectation { return func(f Fields) { f["wait"] = inText(time) } }

// Settle is the quiet behind the last match that Exactly asks for: 200 ms, unless told.
func Settle(time time.Duration) Expectation { return func(f Fields) { f["settle"] = inText(time) } }

// After looks only at what came after a cursor.
func After(cursor int64) Expectation { return func(f Fields) { f["after"] = cursor } }

// inText is a duration as the server writes it, in whole milliseconds.
func inText(duration time.Duration) string { return fmt.Sprintf("%dms", duration.Milliseconds()) }

// An Entry is what the log holds of a request.
type Entry struct {
	ID       string
	Seq      int64
	Outcome  string
	Device   string
	Topic    string
	PushType string
	Payload  Fields
	Response struct {
		Status int
		Reason string
	}
	Connection struct{ ID string }
	// All is everything that the admin API says of the entry.
	All Fields
}

// UnmarshalJSON reads an entry as the admin API gives it.
func (e *Entry) UnmarshalJSON(text []byte) error {
	type plain Entry
	if err := json.Unmarshal(text, (*plain)(e)); err != nil {
		return err
	}
	return json.Unmarshal(text, &e.All)
}

// Value is a value of the entry by its path, such as "payload.aps.alert.title"; nil when there is none.
func (e Entry) Value(path string) any {
	var value any = e.All
	for _, name := range strings.Split(path, ".") {
		switch inner := value.(type) {
		case Fields:
			value = inner[name]
		case []any:
			at, err := strconv.Atoi(name)
			if err != nil || at < 0 || at >= len(inner) {
				return nil
			}
			value = inner[at]
		default:
			return nil
		}
	}
	return value
}

// Expect waits for pushes that match and gives them; the test ends with the nearest misses when they do not come.
//
// Without Count and Exactly at least one is expected. Match{"outcome": "rejected"} asks for refusals.
func (a *APNs) Expect(match Match, expectations ...Expectation) []Entry {
	a.t.Helper()
	wanted := Match{"outcome": "accepted"}
	for name, value := range match {
		wanted[name] = value
	}
	question := Fields{"match": wanted, "wait": "5s", "after": 0}
	for _, expectation := range expectations {
		expectation(question)
	}
	a.judge("/requests/query", question)
	return a.query(Fields{"match": wanted, "after": question["after"], "limit": 1000})
}

// ExpectNone expects that nothing matches, and that nothing comes within 200 ms, unless told.
func (a *APNs) ExpectNone(match Match, expectations ...Expectation) {
	a.t.Helper()
	a.Expect(match, append([]Expectation{Exactly(0), Within(200 * time.Millisecond)}, expectations...)...)
}

// Verify checks several expectations at once, in order or with nothing else: members of the body of POST /v1/verify.
func (a *APNs) Verify(members Fields) {
	a.t.Helper()
	question := Fields{"wait": "5s"}
	for name, value := range members {
		question[name] = value
	}
	a.judge("/verify", question)
}

func (a *APNs) judge(path string, question Fields) {
	a.t.Helper()
	status, text, err := a.server.admin.call("POST", a.path+path, "text/plain", question)
	if err != nil {
		a.t.Fatalf("%v", err)
	}
	if status >= 300 {
		a.t.Fatalf("%s", strings.TrimSpace(text))
	}
}

// Requests is what has arrived by now: accepted, rejected, faulted and broken, unless match says which.
func (a *APNs) Requests(match Match) []Entry {
	a.t.Helper()
	if match == nil {
		match = Match{}
	}
	return a.query(Fields{"match": match, "limit": 1000})
}

func (a *APNs) query(question Fields) []Entry {
	a.t.Helper()
	var found struct{ Items []Entry }
	a.must("POST", "/requests/query", question, &found)
	return found.Items
}

// Cursor is the number of the last entry, for After.
func (a *APNs) Cursor() int64 {
	a.t.Helper()
	var answer struct{ Cursor int64 }
	a.must("GET", "/cursor", nil, &answer)
	return answer.Cursor
}

// Fail says how the next pushes fail: members of the body of POST /v1/fail-next.
type Fail struct {
	Reason     string `json:"reason,omitempty"`
	Fault      string `json:"fault,omitempty"`
	Times      int    `json:"times,omitempty"`
	Skip       int    `json:"skip,omitempty"`
	Per        string `json:"per,omitempty"`
	Delay      any    `json:"delay,omitempty"`
	Match      Match  `json:"match,omitempty"`
	Device     string `json:"device,omitempty"`
	Topic      string `json:"topic,omitempty"`
	Type       string `json:"type,omitempty"`
	Status     int    `json:"status,omitempty"`
	Timestamp  string `json:"timestamp,omitempty"`
	Response   Fields `json:"response,omitempty"`
	Code       string `json:"code,omitempty"`
	LastStream string `json:"lastStream,omitempty"`
}

// FailNext lets the next pushes fail.
func (a *APNs) FailNext(fail Fail) {
	a.t.Helper()
	a.must("POST", "/fail-next", fail, nil)
}

// Rule is a scripted outcome: members of the body of POST /v1/rules; see docs/scripting.md.
type Rule struct {
	ID       string `json:"id,omitempty"`
	Match    Match  `json:"match,omitempty"`
	When     Fields `json:"when,omitempty"`
	Then     Fields `json:"then,omitempty"`
	Stage    string `json:"stage,omitempty"`
	Priority int    `json:"priority,omitempty"`
	Continue bool   `json:"continue,omitempty"`
	TTL      string `json:"ttl,omitempty"`
	Note     string `json:"note,omitempty"`
}

// Rule adds a rule.
func (a *APNs) Rule(rule Rule) {
	a.t.Helper()
	a.must("POST", "/rules", rule, nil)
}

// Reset goes back to the state at start, but for what is to be kept: journal, keys, certs, devices, channels, rules, clock.
func (a *APNs) Reset(keep ...string) {
	a.t.Helper()
	a.must("POST", "/reset", Fields{"keep": append([]string{}, keep...)}, nil)
}

// Certificate issues a client certificate: members of the body of POST /v1/certs. It is in the namespace's own trust.
func (a *APNs) Certificate(members Fields) tls.Certificate {
	a.t.Helper()
	if members == nil {
		members = Fields{}
	}
	var made struct{ Certificate, Key string }
	a.must("POST", "/certs", members, &made)
	pair, err := tls.X509KeyPair([]byte(made.Certificate), []byte(made.Key))
	if err != nil {
		a.t.Fatalf("%v", err)
	}
	return pair
}

// Client is an HTTP client that trusts the test CA and speaks HTTP/2, with a client certificate if one is given.
func (a *APNs) Client(certificates ...tls.Certificate) *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(a.CA))
	transport := &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots, Certificates: certificates, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2: true,
	}
	a.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 30 * time.Second}
}

// CAFile is the test CA as a file.
func (a *APNs) CAFile() string {
	a.t.Helper()
	if a.server.facts.CAFile != "" {
		return a.server.facts.CAFile
	}
	return a.file("ca.pem", a.CA)
}

// KeyFile is the sender's key as a file.
func (a *APNs) KeyFile() string {
	a.t.Helper()
	return a.file("AuthKey_"+a.KeyID+".p8", a.Key)
}

func (a *APNs) file(name, text string) string {
	a.t.Helper()
	folder, err := a.server.folder()
	if err != nil {
		a.t.Fatalf("%v", err)
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		a.t.Fatalf("%v", err)
	}
	return path
}

// Verdict ends the namespace; the test ends with what the server says when a push was refused unasked, a rule never
// fired, or a finding is an error.
func (a *APNs) Verdict() {
	a.t.Helper()
	a.once.Do(func() {
		if status, text := a.delete("?verdict=clean"); status >= 300 {
			a.t.Fatalf("%s", text)
		}
	})
}

// end ends the namespace; when the test has failed, it shows what the server says about it.
func (a *APNs) end() {
	a.once.Do(func() {
		if !a.t.Failed() {
			a.delete("")
		} else if status, text := a.delete("?verdict=clean"); status == http.StatusExpectationFailed {
			a.t.Logf("%s", text)
		}
	})
}

func (a *APNs) delete(query string) (int, string) {
	status, text, err := a.server.admin.call("DELETE", "/v1/namespaces/"+url.PathEscape(a.Name)+query, "text/plain", nil)
	if err != nil {
		return http.StatusServiceUnavailable, err.Error()
	}
	return status, strings.TrimSpace(text)
}

func (a *APNs) must(method, path string, body, result any) {
	a.t.Helper()
	if err := a.server.admin.json(method, a.path+path, body, result); err != nil {
		a.t.Fatalf("%v", err)
	}
}

// A Clock is the time of a namespace.
type Clock struct{ apns *APNs }

// Now is its time.
func (c *Clock) Now() time.Time {
	c.apns.t.Helper()
	var answer struct{ Now time.Time }
	c.apns.must("GET", "/clock", nil, &answer)
	return answer.Now
}

// Advance moves it on.
func (c *Clock) Advance(duration time.Duration) {
	c.apns.t.Helper()
	c.apns.must("POST", "/clock", Fields{"advance": inText(duration)}, nil)
}

// Freeze lets it stand still.
func (c *Clock) Freeze(at time.Time) {
	c.apns.t.Helper()
	c.apns.must("PUT", "/clock", Fields{"freeze": at.UTC().Format("2006-01-02T15:04:05.000Z")}, nil)
}

// Resume gives it the machine's time again.
func (c *Clock) Resume() {
	c.apns.t.Helper()
	c.apns.must("PUT", "/clock", Fields{"mode": "real"}, nil)
}

// A Device is one that is registered.
type Device struct {
	Token string
	apns  *APNs
}

// DeviceOrder says what a device is like: members of the body of POST /v1/devices.
type DeviceOrder struct {
	Token       string   `json:"token,omitempty"`
	Topics      []string `json:"topics,omitempty"`
	Environment string   `json:"environment,omitempty"`
	State       string   `json:"state,omitempty"`
	Since       string   `json:"since,omitempty"`
	OS          string   `json:"os,omitempty"`
	Locale      string   `json:"locale,omitempty"`
}

// Device registers a device.
func (a *APNs) Device(order DeviceOrder) *Device {
	a.t.Helper()
	var made struct{ Items []struct{ Token string } }
	a.must("POST", "/devices", order, &made)
	return &Device{made.Items[0].Token, a}
}

// Set changes it: members of the body of PATCH /v1/devices/{token}.
func (d *Device) Set(changes Fields) {
	d.apns.t.Helper()
	d.apns.must("PATCH", "/devices/"+d.Token, changes, nil)
}

// Unregister removes the app so long ago; pushes are answered 410, with that time as their timestamp.
func (d *Device) Unregister(ago time.Duration) {
	d.apns.t.Helper()
	d.Set(Fields{"state": "unregistered", "since": "-" + inText(ago)})
}

// Inbox is what the device would be showing now.
func (d *Device) Inbox() Fields {
	d.apns.t.Helper()
	var inbox Fields
	d.apns.must("GET", "/devices/"+d.Token+"/inbox", nil, &inbox)
	return inbox
}
