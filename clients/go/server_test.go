package mockapns

import (
	"bufio"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// This process is the parent in the next test.
func TestMain(m *testing.M) {
	if os.Getenv("MOCK_APNS_TEST_PARENT") != "" {
		os.Exit(StartMain(parent{}))
	}
	os.Exit(m.Run())
}

type parent struct{}

func (parent) Run() int {
	for _, entry := range shared.servers {
		os.Stdout.WriteString(entry.server.admin.base + " " + entry.server.files + "\n")
	}
	bufio.NewReader(os.Stdin).ReadString('\n')
	return 7
}

func TestTheServerEndsWithItsParentHoweverThatEnds(t *testing.T) {
	for _, kill := range []bool{true, false} {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), "MOCK_APNS_TEST_PARENT=1")
		output, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		input, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(output).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if kill {
			command.Process.Kill()
		}
		input.Close()
		err = command.Wait()
		if code := command.ProcessState.ExitCode(); !kill && code != 7 {
			t.Errorf("the exit code of the tests became %d (%v)", code, err)
		}
		address, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, err := os.Stat(folder); !kill && !os.IsNotExist(err) {
			t.Errorf("%s is still there (%v)", folder, err)
		}
		os.RemoveAll(folder) // A parent that was killed could not.
		admin, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(20 * time.Second); ; {
			connection, err := net.Dial("tcp", admin.Host)
			if err != nil {
				break
			}
			connection.Close()
			if time.Now().After(end) {
				t.Fatal("the server outlived its parent")
			}
		}
	}
}

// As in a container: pushes find the namespace by its key.
func TestAServerElsewhere(t *testing.T) {
	program, err := findProgram(os.Getenv("MOCK_APNS_PROGRAM"))
	if err != nil {
		t.Fatal(err)
	}
	// Its folder has no path that is good here, so the client must do without the server's files and further ports.
	command := exec.Command(program, "serve", "--ephemeral", "--certs", "elsewhere", "--log", "off", "-q")
	command.Dir = t.TempDir()
	input, _ := command.StdinPipe()
	output, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		command.Wait()
	})
	var facts serverFacts
	if err := json.NewDecoder(output).Decode(&facts); err != nil {
		t.Fatal(err)
	}
	apns := Start(t, WithAdmin(facts.Admin+"/"))
	if ca, err := os.ReadFile(apns.CAFile()); apns.URL != facts.APNs.URL || string(ca) != apns.CA {
		t.Errorf("got %s, %v", apns.URL, err)
	}
	newSender(apns).push(t, device, "Shipped")
	apns.Expect(nil, Exactly(1))
	if named := Start(t, WithAdmin(facts.Admin), WithURL("https://localhost:1")); named.Port != 1 {
		t.Errorf("got %d", named.Port)
	}
}
