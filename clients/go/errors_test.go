package mockapns

import (
	"encoding/binary"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func script(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func elf(machine uint16) string {
	head := make([]byte, 64)
	copy(head, "\x7fELF")
	binary.LittleEndian.PutUint16(head[18:], machine)
	return string(head)
}

// What goes wrong before the first push is one sentence with the fix.
func TestErrorsAreOneSentenceWithTheFix(t *testing.T) {
	foreign := map[string]uint16{"amd64": 0xb7}[runtime.GOARCH]
	if foreign == 0 {
		foreign = 0x3e
	}
	plain := script(t, "plain", "#!/bin/sh\n")
	if err := os.Chmod(plain, 0o644); err != nil {
		t.Fatal(err)
	}
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	rows := []struct {
		name    string
		options []Option
		parts   []string
	}{
		{"another architecture", []Option{WithProgram(script(t, "foreign", elf(foreign)))}, []string{"is a program for linux/", ", and this is ", "; get mock-apns for "}},
		{"a missing program", []Option{WithProgram("/nowhere/mock-apns")}, []string{"there is no such file; set it to the path of mock-apns"}},
		{"a program that may not be run", []Option{WithProgram(plain)}, []string{"run chmod +x"}},
		{"a program without its loader", []Option{WithProgram(script(t, "loader", "#!/nowhere/loader\n"))}, []string{"its loader is not", "use the static program"}},
		{"a program that ends", []Option{WithProgram(script(t, "ends", "#!/bin/sh\necho out of luck >&2\nexit 3\n"))}, []string{"ended at its start with exit status 3: out of luck"}},
		{"a program that says nothing", []Option{WithProgram(script(t, "silent", "#!/bin/sh\nexec cat\n")), WithTimeout(300 * time.Millisecond)}, []string{"was not ready within 300ms", "WithTimeout"}},
		{"another program", []Option{WithProgram(script(t, "hello", "#!/bin/sh\necho hello\nexec cat\n"))}, []string{`wrote "hello" where mock-apns writes its ready line`}},
		{"a flag that is none", []Option{WithArguments("--ephemerall")}, []string{"exit status 64: ", "did you mean --ephemeral"}},
		{"a port in use", []Option{WithArguments("--admin-listen", other.Addr().String())}, []string{"Address already in use; choose another address, or port 0"}},
		{"a server that is not there", []Option{WithAdmin("http://127.0.0.1:9")}, []string{"127.0.0.1:9 does not answer", "see whether it still runs"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			f := &failing{T: t}
			text := f.failure(func() { Start(f, row.options...) })
			contains(t, text, row.parts...)
			if strings.Contains(text, "\n") {
				t.Errorf("more than one line: %s", text)
			}
		})
	}
}

func TestAFolderForTemporaryFilesThatCannotBeWritten(t *testing.T) {
	t.Setenv("TMPDIR", "/nowhere")
	f := &failing{T: t}
	contains(t, f.failure(func() { Start(f, WithArguments("--seed", "1")) }), "/nowhere cannot be written", "; set TMPDIR to a folder that can")
}

func TestAHomeThatCannotBeWrittenIsNotAsked(t *testing.T) {
	t.Setenv("HOME", "/proc/nowhere")
	Start(t, WithArguments("--seed", "2")).Verdict()
}

func TestWhereTheProgramIsFound(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("MOCK_APNS_PROGRAM", "")
	t.Setenv("PATH", folder)
	if err := os.MkdirAll(filepath.Join(folder, "module", "package"), 0o755); err != nil {
		t.Fatal(err)
	}
	before, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(before)
	if err := os.Chdir(filepath.Join(folder, "module", "package")); err != nil {
		t.Fatal(err)
	}
	f := &failing{T: t}
	contains(t, f.failure(func() { Start(f) }), "was not found: neither PATH has it nor the folder of go.mod", "set MOCK_APNS_PROGRAM to its path")
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct{ made, found string }{
		{"module/go.mod", ""}, {"module/mock-apns", "module/mock-apns"}, {"mock-apns", "mock-apns"},
	} {
		write(step.made)
		found, err := findProgram("")
		if step.found != "" && (err != nil || found != filepath.Join(folder, step.found)) {
			t.Errorf("with %s: got %s, %v", step.made, found, err)
		}
	}
}
