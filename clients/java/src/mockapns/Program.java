package mockapns;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Locale;

/** Where the program is, and whether this machine can run it. */
final class Program {
    private Program() {}

    /** linux-x64 and so on, as the jars are called. */
    static String platform() {
        var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        var processor = System.getProperty("os.arch");
        return (system.startsWith("mac") ? "darwin" : system.split(" ")[0]) + "-"
            + (processor.equals("amd64") || processor.equals("x86_64") ? "x64" : processor.equals("aarch64") ? "arm64" : processor);
    }

    /** The one that is named, the one in the platform's jar (which is put into the folder), or the one in PATH. */
    static Path find(String named, Path folder, String path) {
        if (named != null && !named.isEmpty()) {
            if (Files.isRegularFile(Path.of(named))) return Path.of(named).toAbsolutePath();
            throw new MockAPNsException("MOCK_APNS_PROGRAM (or program()) is " + named
                + ", and there is no such file; set it to the path of mock-apns, or unset it");
        }
        var packed = Program.class.getResource("/mockapns/" + platform() + "/mock-apns");
        if (packed != null) {
            var target = folder.resolve("mock-apns");
            try (var from = packed.openStream()) {
                Files.copy(from, target);
                target.toFile().setExecutable(true);
                return target;
            } catch (IOException error) {
                throw new MockAPNsException("the program cannot be unpacked to " + target + " (" + error
                    + "); set java.io.tmpdir to a folder that can be written", error);
            }
        }
        for (var each : path.split(File.pathSeparator)) {
            var candidate = Path.of(each.isEmpty() ? "." : each, "mock-apns");
            if (Files.isRegularFile(candidate)) return candidate;
        }
        throw new MockAPNsException("the program mock-apns was not found: no jar for " + platform()
            + " is on the class path and PATH has no mock-apns; add that jar, or set MOCK_APNS_PROGRAM to the program's path");
    }

    /** Fails with one sentence when the program's head or mode says that it cannot run here. */
    static void check(Path program) {
        var made = madeFor(program);
        if (made != null && !made.equals(platform())) {
            throw new MockAPNsException(program + " is a program for " + made + ", and this is " + platform()
                + "; get mock-apns for " + platform() + ", or set MOCK_APNS_PROGRAM to it");
        }
        if (Files.isExecutable(program)) return;
        try {
            if (!Files.getPosixFilePermissions(program).contains(PosixFilePermission.OWNER_EXECUTE)) {
                throw new MockAPNsException(program + " may not be executed; run chmod +x " + program);
            }
        } catch (IOException | UnsupportedOperationException error) {
            // Then it is said in general.
        }
        throw new MockAPNsException(program + " may not be executed where it lies (the file system is mounted noexec, or the file is"
            + " another user's); put it elsewhere and set MOCK_APNS_PROGRAM to it, or java.io.tmpdir to another folder");
    }

    private static String madeFor(Path program) {
        var head = new byte[20];
        try (var file = new RandomAccessFile(program.toFile(), "r")) {
            file.readFully(head);
        } catch (IOException error) {
            return null;
        }
        var bytes = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(0) == 0x464c457f) return "linux-" + processor(bytes.getShort(18), 0x3e, 0xb7);
        if (bytes.getInt(0) == 0xfeedfacf) return "darwin-" + processor(bytes.getInt(4), 0x01000007, 0x0100000c);
        return null;
    }

    private static String processor(int machine, int x64, int arm64) {
        return machine == x64 ? "x64" : machine == arm64 ? "arm64" : "another processor";
    }
}
