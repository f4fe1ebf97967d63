package mockapns

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// server is a running server: where it is, and what senders trust.
type server struct {
	admin *admin
	facts serverFacts
	ca    string
	// samePlace says that its files and all its ports can be reached from here; not so for one in a container.
	samePlace bool
	stop      func()

	sync.Mutex
	files string
}

// folder is where files for senders are put; it goes with the server.
func (s *server) folder() (string, error) {
	s.Lock()
	defer s.Unlock()
	var err error
	if s.files == "" {
		s.files, err = makeFolder()
	}
	return s.files, err
}

// serverFacts are what the ready line says.
type serverFacts struct {
	APNs   place  `json:"apns"`
	H2C    place  `json:"h2c"`
	HTTP1  place  `json:"http1"`
	Admin  string `json:"admin"`
	CAFile string `json:"caFile"`
}

type place struct {
	URL string `json:"url"`
}

// launch starts a server on free ports; it ends with this process, or by stop.
func launch(o options) (*server, error) {
	program, err := findProgram(o.program)
	if err != nil {
		return nil, err
	}
	if err := unsuited(program); err != nil {
		return nil, err
	}
	folder, err := makeFolder()
	if err != nil {
		return nil, err
	}
	made, err := launchIn(folder, program, o)
	if err != nil {
		os.RemoveAll(folder)
	}
	return made, err
}

func makeFolder() (string, error) {
	folder, err := os.MkdirTemp("", "mock-apns-")
	if err != nil {
		return "", fmt.Errorf("mock-apns needs a folder for its test CA, and %s cannot be written (%v); set TMPDIR to a folder that can", os.TempDir(), errors.Unwrap(err))
	}
	return folder, nil
}

func launchIn(folder, program string, o options) (*server, error) {
	arguments := []string{"serve", "--ephemeral", "--certs", filepath.Join(folder, "certs"), "--log", "off", "--quiet"}
	command := exec.Command(program, append(arguments, o.arguments...)...)
	complaints := &tail{}
	command.Stderr = complaints
	// The server ends when its standard input does: with this process, however that ends.
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		if errors.Is(err, fs.ErrNotExist) && isFile(program) {
			return nil, fmt.Errorf("%s is there but its loader is not: it was built for another C library; use the static program", program)
		}
		if errors.Is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("%s may not be executed where it lies (the file system is mounted noexec, or the file is another user's); put it elsewhere and set MOCK_APNS_PROGRAM to it", program)
		}
		return nil, fmt.Errorf("%s cannot be started (%v); check it, or set MOCK_APNS_PROGRAM to another", program, errors.Unwrap(err))
	}
	lines := make(chan string, 1)
	ended := make(chan error, 1)
	go func() {
		reader := bufio.NewReader(output)
		line, _ := reader.ReadString('\n')
		lines <- line
		io.Copy(io.Discard, reader)
		ended <- command.Wait()
	}()
	kill := func() {
		command.Process.Kill()
		<-ended
	}
	var line string
	select {
	case line = <-lines:
	case <-time.After(o.timeout):
		kill()
		return nil, fmt.Errorf("%s was not ready within %v (%s); give it longer by WithTimeout, or run it by hand to see what it waits for", program, o.timeout, complaints)
	}
	if line == "" {
		input.Close()
		err := <-ended
		return nil, fmt.Errorf("%s ended at its start with %v: %s", program, orZero(err), complaints)
	}
	made := &server{samePlace: true, files: folder}
	if err := json.Unmarshal([]byte(line), &made.facts); err != nil {
		kill()
		return nil, fmt.Errorf("%s wrote %.80q where mock-apns writes its ready line; set MOCK_APNS_PROGRAM to mock-apns", program, strings.TrimSpace(line))
	}
	ca, err := os.ReadFile(made.facts.CAFile)
	if err != nil {
		kill()
		return nil, err
	}
	made.ca = string(ca)
	made.admin = newAdmin(made.facts.Admin)
	made.stop = func() {
		input.Close()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			kill()
		}
		os.RemoveAll(folder)
	}
	return made, nil
}

func orZero(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// tail keeps the last words that a program wrote to standard error.
type tail struct {
	sync.Mutex
	text []byte
}

func (t *tail) Write(part []byte) (int, error) {
	t.Lock()
	defer t.Unlock()
	t.text = append(t.text, part...)
	if len(t.text) > 4096 {
		t.text = t.text[len(t.text)-4096:]
	}
	return len(part), nil
}

func (t *tail) String() string {
	t.Lock()
	defer t.Unlock()
	if text := strings.TrimSpace(string(t.text)); text != "" {
		return text
	}
	return "it wrote nothing to standard error"
}

// join takes part in a server that somebody else has started.
func join(adminURL, apnsURL string) (*server, error) {
	made := &server{admin: newAdmin(strings.TrimRight(adminURL, "/"))}
	var info struct {
		Listeners []struct{ Kind, Address string }
		CA        struct{ File string }
	}
	if err := made.admin.json("GET", "/v1/info", nil, &info); err != nil {
		return nil, err
	}
	_, ca, err := made.admin.call("GET", "/v1/ca.pem", "*/*", nil)
	if err != nil {
		return nil, err
	}
	made.ca = ca
	if here, err := os.ReadFile(info.CA.File); err == nil && string(here) == ca {
		made.samePlace = true
		made.facts.CAFile = info.CA.File
	}
	host := adminURL
	if parsed, err := url.Parse(adminURL); err == nil {
		host = parsed.Hostname()
	}
	listener := func(kind, scheme, told string) place {
		if told != "" {
			return place{told}
		}
		for _, each := range info.Listeners {
			if each.Kind != kind {
				continue
			}
			// Listeners on all addresses are reached where the admin API is.
			address := each.Address
			for _, all := range []string{"0.0.0.0:", "[::]:"} {
				if strings.HasPrefix(address, all) {
					address = host + ":" + strings.TrimPrefix(address, all)
				}
			}
			return place{scheme + "://" + address}
		}
		return place{}
	}
	made.facts.APNs = listener("apns", "https", apnsURL)
	made.facts.H2C = listener("h2c", "http", os.Getenv("MOCK_APNS_H2C_URL"))
	made.facts.HTTP1 = listener("http1", "http", os.Getenv("MOCK_APNS_HTTP1_URL"))
	made.stop = func() {
		made.Lock()
		defer made.Unlock()
		if made.files != "" {
			os.RemoveAll(made.files)
		}
	}
	return made, nil
}
