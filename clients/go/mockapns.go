// Package mockapns gives tests a stand-in for Apple's Push Notification service.
//
//	func TestOrder(t *testing.T) {
//		apns := mockapns.Start(t)
//		placeOrder(42, apns.URL, apns.Client()) // your code, which pushes
//		apns.Expect(mockapns.Match{"aps.alert.title": "Shipped*"}, mockapns.Exactly(1))
//	}
//
// Start gives the test a namespace of its own: a log, devices, rules, keys and a clock that no other test sees, so tests
// may run in parallel. They share one server, which ends with the last of them and with the process, however that ends.
package mockapns

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

// T is what is needed of a *testing.T, *testing.B or *testing.F.
type T interface {
	Helper()
	Name() string
	Cleanup(func())
	Failed() bool
	Logf(format string, arguments ...any)
	Fatalf(format string, arguments ...any)
}

// Fields are members of a JSON object.
type Fields = map[string]any

// An Option says how a server is to be started, or which one is to be joined.
type Option func(*options)

type options struct {
	admin     string
	url       string
	program   string
	arguments []string
	timeout   time.Duration
	namespace Fields
}

// WithAdmin joins the server with this admin URL; without it MOCK_APNS_ADMIN says whether there is one to join.
func WithAdmin(url string) Option { return func(o *options) { o.admin = url } }

// WithURL says where senders reach a server that is joined, when that is elsewhere than it says: the port of a container.
// Without it MOCK_APNS_URL says so.
func WithURL(url string) Option { return func(o *options) { o.url = url } }

// WithProgram names the program; without it, it is found by MOCK_APNS_PROGRAM, in PATH, or beside the go.mod of the tests.
func WithProgram(path string) Option { return func(o *options) { o.program = path } }

// WithArguments passes further flags of `mock-apns serve`. Tests with the same flags share a server.
func WithArguments(arguments ...string) Option {
	return func(o *options) { o.arguments = append(o.arguments, arguments...) }
}

// WithTimeout says how long the server may take to start: 10 s, unless told.
func WithTimeout(timeout time.Duration) Option { return func(o *options) { o.timeout = timeout } }

// WithNamespace says what the namespace is to be like: members of the body of POST /v1/namespaces.
func WithNamespace(members Fields) Option { return func(o *options) { o.namespace = members } }

func read(given []Option) options {
	made := options{
		admin: os.Getenv("MOCK_APNS_ADMIN"), url: os.Getenv("MOCK_APNS_URL"), program: os.Getenv("MOCK_APNS_PROGRAM"), timeout: 10 * time.Second,
	}
	for _, option := range given {
		option(&made)
	}
	return made
}

// Start gives the test a namespace of its own, which ends with the test.
//
// A test that has failed shows what the server says about the namespace: which pushes were refused and why.
func Start(t T, given ...Option) *APNs {
	t.Helper()
	options := read(given)
	server, release, err := share(options)
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(release)
	order := Fields{"name": namespaceName(t.Name()), "ttl": "1h", "key": true}
	if server.samePlace {
		// Ports of its own let senders choose it by their URL alone; those of a container are not reached from here.
		order["port"] = 0
	}
	for name, value := range options.namespace {
		order[name] = value
	}
	var made namespaceFacts
	if err := server.admin.json("POST", "/v1/namespaces", order, &made); err != nil {
		t.Fatalf("%v", err)
	}
	apns, err := newAPNs(t, server, made)
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(apns.end)
	return apns
}

// StartMain runs the tests of a package with one server that stays from the first to the last:
//
//	func TestMain(m *testing.M) { os.Exit(mockapns.StartMain(m)) }
//
// Without it the server ends whenever no test uses it, and starts again (in some tens of milliseconds) for the next.
func StartMain(m interface{ Run() int }, given ...Option) int {
	_, release, err := share(read(given))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer release()
	return m.Run()
}

var shared = struct {
	sync.Mutex
	servers map[string]*sharedServer
}{servers: map[string]*sharedServer{}}

type sharedServer struct {
	once   sync.Once
	users  int
	server *server
	err    error
}

// share gives the server that fits, which the first user starts and the last one ends.
func share(o options) (*server, func(), error) {
	identity := strings.Join(append([]string{o.admin, o.url, o.program}, o.arguments...), "\x00")
	shared.Lock()
	entry := shared.servers[identity]
	if entry == nil {
		entry = &sharedServer{}
		shared.servers[identity] = entry
	}
	entry.users++
	shared.Unlock()
	entry.once.Do(func() {
		if o.admin != "" {
			entry.server, entry.err = join(o.admin, o.url)
		} else {
			entry.server, entry.err = launch(o)
		}
	})
	release := func() {
		shared.Lock()
		entry.users--
		last := entry.users == 0
		if last {
			delete(shared.servers, identity)
		}
		shared.Unlock()
		if last && entry.server != nil {
			entry.server.stop()
		}
	}
	if entry.err != nil {
		release()
		return nil, nil, entry.err
	}
	return entry.server, release, nil
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// namespaceName is the test's name with a random end, so that parallel runs do not meet.
func namespaceName(test string) string {
	end := make([]byte, 4)
	if _, err := rand.Read(end); err != nil {
		panic(err) // The system has no random numbers.
	}
	name := notInNames.ReplaceAllString(test, "-")
	if len(name) > 80 {
		name = name[:80]
	}
	return name + "-" + hex.EncodeToString(end)
}
