package mockapns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong before the first push is one sentence with the fix. */
class ErrorsTest {
    @TempDir
    Path folder;

    private String program(String name, String content) throws IOException {
        return program(name, content.getBytes(StandardCharsets.UTF_8));
    }

    private String program(String name, byte[] content) throws IOException {
        var file = folder.resolve(name);
        Files.write(file, content);
        file.toFile().setExecutable(true);
        return file.toString();
    }

    private static byte[] elf(int machine) {
        return ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN).putInt(0x464c457f).putShort(18, (short) machine).array();
    }

    private static DynamicTest row(String name, MockAPNs.Builder builder, String... parts) {
        return DynamicTest.dynamicTest(name, () -> {
            var message = assertThrows(MockAPNsException.class, () -> builder.start().close()).getMessage();
            ScenariosTest.contains(message, parts);
            assertFalse(message.contains("\n"), message);
        });
    }

    private static MockAPNs.Builder with(String program) {
        return MockAPNs.builder().program(program);
    }

    @TestFactory
    Stream<DynamicTest> errorsAreOneSentenceWithTheFix() throws IOException {
        var plain = program("plain", "#!/bin/sh\n");
        Path.of(plain).toFile().setExecutable(false, false);
        var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var pathless = MockAPNs.builder().program(null);
        pathless.path = folder.toString();
        var here = Program.platform();
        return Stream.of(
            row("another architecture", with(program("foreign", elf(here.endsWith("x64") ? 0xb7 : 0x3e))),
                " is a program for linux-", ", and this is " + here + "; get mock-apns for " + here),
            row("a missing program", with("/nowhere/mock-apns"), "there is no such file; set it to the path of mock-apns"),
            row("no program anywhere", pathless, "was not found: no jar for " + here + " is on the class path and PATH has no mock-apns; add"),
            row("a program that may not be run", with(plain), "run chmod +x"),
            row("a program without its loader", with(program("loader", "#!/nowhere/loader\n")), "cannot be started", "check that it is for this machine's C library"),
            row("a program that ends", with(program("ends", "#!/bin/sh\necho out of luck >&2\nexit 3\n")), "ended at its start with exit code 3: out of luck"),
            row("a program that says nothing", with(program("silent", "#!/bin/sh\nexec cat\n")).timeout(Duration.ofMillis(300)), "was not ready within 300 ms", "timeout()"),
            row("another program", with(program("hello", "#!/bin/sh\necho hello\nexec cat\n")), "wrote \"hello\" where mock-apns writes its ready line"),
            row("a flag that is none", MockAPNs.builder().arguments("--ephemerall"), "exit code 64: ", "did you mean --ephemeral"),
            row("a port in use", MockAPNs.builder().arguments("--admin-listen", "127.0.0.1:" + other.getLocalPort()),
                "exit code 73: ", "Address already in use; choose another address, or port 0"),
            row("a server that is not there", MockAPNs.builder().admin("http://127.0.0.1:9"), "127.0.0.1:9 does not answer", "see whether it still runs"),
            row("a folder for temporary files that cannot be written", unwritable(), "/nowhere cannot be written", "; set java.io.tmpdir to a folder that can")
        ).onClose(() -> assertTrue(closed(other)));
    }

    private static MockAPNs.Builder unwritable() {
        var builder = MockAPNs.builder();
        builder.temporary = Path.of("/nowhere");
        return builder;
    }

    private static boolean closed(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException error) {
            return false;
        }
        return true;
    }

    @Test
    void theProgramInPath() throws IOException {
        assertEquals(program("mock-apns", "#!/bin/sh\n"), Program.find(null, folder, "/nowhere:" + folder).toString());
    }

    /** The parent of the next test. */
    public static final class Parent {
        public static void main(String[] arguments) throws InterruptedException {
            var server = MockAPNs.start();
            System.out.println(server.adminURL() + " " + server.folder);
            // The test kills this process, to see the server end with it.
            if (arguments.length > 0) Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    @Timeout(30)
    void theServerEndsWithItsParentHoweverThatEnds() throws Exception {
        for (var arguments : new String[][] {{"stay"}, {}}) {
            var command = Stream.concat(Stream.of(ProcessHandle.current().info().command().orElseThrow(),
                "-cp", System.getProperty("java.class.path"), Parent.class.getName()), Stream.of(arguments)).toList();
            var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            // A home that cannot be written is not asked.
            builder.environment().put("HOME", "/proc/nowhere");
            var parent = builder.start();
            var line = new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8)).readLine();
            var admin = URI.create(line.split(" ")[0]);
            if (arguments.length > 0) parent.destroyForcibly();
            assertEquals(arguments.length > 0 ? 137 : 0, parent.waitFor());
            while (answers(admin)) Thread.onSpinWait();
            // Who is killed leaves the test CA behind; who ends does not.
            assertEquals(arguments.length > 0, Files.exists(Path.of(line.split(" ")[1])));
        }
    }

    private static boolean answers(URI server) {
        try (var socket = new Socket(server.getHost(), server.getPort())) {
            return socket.isConnected();
        } catch (IOException error) {
            return false;
        }
    }

    @Test
    void jsonIsReadAsItWasWritten() {
        var value = Map.of("text", "a\"\\\n\u0001é\uD83D\uDE00", "list", java.util.List.of(1L, -2.5, true), "empty", Map.of());
        assertEquals(value, Json.read(Json.write(value)));
        assertEquals("\u00e9\t/", Json.read("\"\\u00e9\\t\\/\""));
        for (var broken : new String[] {"", "{", "[1,", "{\"a\"}", "\"a", "tru", "1 2"}) {
            assertThrows(IllegalArgumentException.class, () -> Json.read(broken), broken);
        }
    }
}
