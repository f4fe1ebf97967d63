package mockapns

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

type document struct {
	Paths map[string]map[string]operation
}

type operation struct {
	Parameters  []struct{ Name string }
	RequestBody struct {
		Content map[string]struct {
			Schema struct{ Properties Fields }
		}
	}
}

// find gives the operation of a path, in which each segment of the document may be a place holder.
func (d document) find(t *testing.T, method, path string) operation {
	t.Helper()
	if parts := strings.SplitN(path, "/", 5); len(parts) == 5 && parts[2] == "ns" {
		path = "/v1/" + parts[4]
	}
	segments := strings.Split(path, "/")
	best := ""
	for each := range d.Paths {
		theirs := strings.Split(each, "/")
		fits := len(theirs) == len(segments)
		for at := 0; fits && at < len(theirs); at++ {
			fits = theirs[at] == segments[at] || strings.HasPrefix(theirs[at], "{")
		}
		if fits && (best == "" || each == path) {
			best = each
		}
	}
	found, known := d.Paths[best][strings.ToLower(method)]
	if !known {
		t.Errorf("%s %s is not in the OpenAPI document", method, path)
	}
	return found
}

// Every route, parameter and member of a body that this client uses is in the program's OpenAPI document.
func TestAllCallsAreInTheDocument(t *testing.T) {
	type call struct {
		method, path string
		body         any
	}
	var calls []call
	var lock sync.Mutex
	observe = func(method, path string, body any) {
		lock.Lock()
		defer lock.Unlock()
		calls = append(calls, call{method, path, body})
	}
	defer func() { observe = nil }()

	f := &failing{T: t}
	apns := Start(f, WithNamespace(Fields{"profile": "strict"}))
	var known document
	if err := apns.server.admin.json("GET", "/openapi.json", nil, &known); err != nil {
		t.Fatal(err)
	}
	apns.ExpectNone(nil, Within(0), After(apns.Cursor()))
	contains(t, f.failure(func() { apns.Expect(nil, Count(1), Within(0)) }), "expectation not met")
	contains(t, f.failure(func() { apns.Expect(nil, Exactly(1), Within(time.Millisecond), Settle(time.Millisecond)) }), "expectation not met")
	apns.Verify(Fields{"expect": []Match{}, "noOthers": true, "wait": 0})
	apns.Requests(nil)
	phone := apns.Device(DeviceOrder{})
	phone.Set(Fields{"state": "offline"})
	phone.Unregister(0)
	phone.Inbox()
	apns.Clock.Freeze(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	if now := apns.Clock.Now(); now.Year() != 2030 {
		t.Errorf("got %v", now)
	}
	apns.Clock.Advance(time.Minute)
	apns.Clock.Resume()
	apns.Client(apns.Certificate(nil))
	apns.FailNext(Fail{Reason: "Shutdown"})
	apns.Rule(Rule{Then: Fields{"reason": "Shutdown"}})
	apns.Reset("devices")
	// A reset does not make up for rules that never fired.
	contains(t, f.failure(apns.Verdict), "not clean: unused-rules: ")
	joined := Start(t, WithAdmin(apns.server.admin.base))
	if joined.Port == apns.server.portOfAll() || !isFile(joined.CAFile()) || !isFile(joined.KeyFile()) {
		t.Errorf("a namespace of a server that was joined on this machine has no port or no files: %v", joined)
	}

	if len(calls) < 20 {
		t.Errorf("only %d calls", len(calls))
	}
	for _, call := range calls {
		target, err := url.Parse(call.path)
		if err != nil {
			t.Fatal(err)
		}
		operation := known.find(t, call.method, target.Path)
		for name := range target.Query() {
			if !operation.takes(name) {
				t.Errorf("%s %s has no parameter %s", call.method, target.Path, name)
			}
		}
		for _, name := range members(t, call.body) {
			if _, there := operation.RequestBody.Content["application/json"].Schema.Properties[name]; !there {
				t.Errorf("the body of %s %s has no member %s", call.method, target.Path, name)
			}
		}
	}
}

func (s *server) portOfAll() int {
	apns, _ := newAPNs(nil, s, namespaceFacts{})
	return apns.Port
}

func (o operation) takes(name string) bool {
	for _, parameter := range o.Parameters {
		if parameter.Name == name {
			return true
		}
	}
	return false
}

// members are the names in a body: all that a struct declares, set or not.
func members(t *testing.T, body any) []string {
	t.Helper()
	var names []string
	if body == nil {
		return nil
	}
	if kind := reflect.TypeOf(body); kind.Kind() == reflect.Struct {
		for at := 0; at < kind.NumField(); at++ {
			names = append(names, strings.Split(kind.Field(at).Tag.Get("json"), ",")[0])
		}
		return names
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	var fields Fields
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for name := range fields {
		names = append(names, name)
	}
	return names
}
