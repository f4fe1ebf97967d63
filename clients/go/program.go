package mockapns

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// findProgram gives the path of the program: the one that is named, the one in PATH, or the one beside the go.mod.
func findProgram(named string) (string, error) {
	if named != "" {
		if isFile(named) {
			return filepath.Abs(named)
		}
		return "", fmt.Errorf("MOCK_APNS_PROGRAM (or WithProgram) is %s, and there is no such file; set it to the path of mock-apns, or unset it", named)
	}
	if found, err := exec.LookPath("mock-apns"); err == nil {
		return found, nil
	}
	module := moduleFolder()
	for _, folder := range []string{module, filepath.Join(module, "bin")} {
		if candidate := filepath.Join(folder, "mock-apns"); module != "" && isFile(candidate) {
			return candidate, nil
		}
	}
	return "", fmt.Errorf("the program mock-apns was not found: neither PATH has it nor the folder of go.mod (%s); put it there, or set MOCK_APNS_PROGRAM to its path", module)
}

// moduleFolder is where the go.mod of the tests is; `go test` runs them in the folder of their package.
func moduleFolder() string {
	folder, err := os.Getwd()
	for err == nil {
		if isFile(filepath.Join(folder, "go.mod")) {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		folder = parent
	}
	return ""
}

func isFile(path string) bool {
	found, err := os.Stat(path)
	return err == nil && found.Mode().IsRegular()
}

// unsuited says why a program cannot run here, with the fix; nil when its head and its mode say nothing against it.
func unsuited(program string) error {
	here := runtime.GOOS + "/" + runtime.GOARCH
	if made := madeFor(program); made != "" && made != here {
		return fmt.Errorf("%s is a program for %s, and this is %s; get mock-apns for %s, or set MOCK_APNS_PROGRAM to it", program, made, here, here)
	}
	if found, err := os.Stat(program); err == nil && found.Mode()&0o111 == 0 {
		return fmt.Errorf("%s may not be executed; run chmod +x %s", program, program)
	}
	return nil
}

// madeFor is the platform that a program was built for, from its first bytes; empty when they do not say.
func madeFor(program string) string {
	file, err := os.Open(program)
	if err != nil {
		return ""
	}
	defer file.Close()
	head := make([]byte, 20)
	if _, err := file.ReadAt(head, 0); err != nil {
		return ""
	}
	named := func(system string, machine uint32, x64, arm64 uint32) string {
		switch machine {
		case x64:
			return system + "/amd64"
		case arm64:
			return system + "/arm64"
		}
		return system + "/another processor"
	}
	switch {
	case string(head[:4]) == "\x7fELF":
		return named("linux", uint32(binary.LittleEndian.Uint16(head[18:])), 0x3e, 0xb7)
	case binary.LittleEndian.Uint32(head) == 0xfeedfacf:
		return named("darwin", binary.LittleEndian.Uint32(head[4:]), 0x01000007, 0x0100000c)
	}
	return ""
}
