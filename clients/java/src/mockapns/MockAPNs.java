package mockapns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A running server. It ends by {@link #close}, and with this process, however that ends. */
public final class MockAPNs implements AutoCloseable {
    final Admin admin;
    /** The test CA as PEM. */
    final String ca;
    /** Where senders push by kind of listener: apns, h2c, http1. */
    final Map<String, String> urls = new HashMap<>();
    /** Whether its files and all its ports can be reached from here; not so for one in a container. */
    final boolean samePlace;
    private final Process process;
    final Path folder;
    private final Thread atExit;

    /** How a server is started, or which one is joined. */
    public static final class Builder {
        private String admin = System.getenv("MOCK_APNS_ADMIN");
        private String url = System.getenv("MOCK_APNS_URL");
        private String program = System.getenv("MOCK_APNS_PROGRAM");
        private final List<String> arguments = new ArrayList<>();
        private Duration timeout = Duration.ofSeconds(10);
        String path = System.getenv().getOrDefault("PATH", "");
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));

        private Builder() {}

        /** Joins the server with this admin URL; MOCK_APNS_ADMIN, unless told. */
        public Builder admin(String url) {
            admin = url;
            return this;
        }

        /** Where senders reach the server that is joined, when that is elsewhere than it says: the port of a container. */
        public Builder url(String url) {
            this.url = url;
            return this;
        }

        /** Names the program; else MOCK_APNS_PROGRAM, the platform's jar and PATH are asked, in this order. */
        public Builder program(String path) {
            program = path;
            return this;
        }

        /** Passes further flags of {@code mock-apns serve}. */
        public Builder arguments(String... flags) {
            arguments.addAll(List.of(flags));
            return this;
        }

        /** How long the server may take to start: 10 s, unless told. */
        public Builder timeout(Duration time) {
            timeout = time;
            return this;
        }

        /** Starts the server, or joins it. */
        public MockAPNs start() {
            return admin == null ? launch(this) : new MockAPNs(admin.replaceAll("/+$", ""), url);
        }

        String identity() {
            return admin + "\n" + url + "\n" + program + "\n" + String.join("\n", arguments);
        }
    }

    /** How a server is to be started. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts a server on free ports, or joins the one that MOCK_APNS_ADMIN names. */
    public static MockAPNs start() {
        return builder().start();
    }

    private static MockAPNs launch(Builder builder) {
        Path folder;
        try {
            folder = Files.createTempDirectory(builder.temporary, "mock-apns-");
        } catch (IOException error) {
            throw new MockAPNsException("mock-apns needs a folder for its test CA, and " + builder.temporary
                + " cannot be written (" + error.getClass().getSimpleName() + "); set java.io.tmpdir to a folder that can", error);
        }
        try {
            return new MockAPNs(builder, folder);
        } catch (RuntimeException error) {
            remove(folder);
            throw error;
        }
    }

    private MockAPNs(Builder builder, Path folder) {
        var program = Program.find(builder.program, folder, builder.path);
        Program.check(program);
        var command = new ArrayList<>(List.of(program.toString(), "serve", "--ephemeral", "--certs",
            folder.resolve("certs").toString(), "--log", "off", "--quiet"));
        command.addAll(builder.arguments);
        Process process;
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException error) {
            throw new MockAPNsException(program + " cannot be started (" + (error.getCause() == null ? error : error.getCause()).getMessage()
                + "); check that it is for this machine's C library, or set MOCK_APNS_PROGRAM to another", error);
        }
        this.process = process;
        this.folder = folder;
        var complaints = CompletableFuture.supplyAsync(() -> lastWords(process.getErrorStream()), this::inBackground);
        var first = new CompletableFuture<String>();
        inBackground(() -> {
            try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                first.complete(lines.readLine());
                while (lines.readLine() != null) {}
            } catch (IOException error) {
                first.complete(null);
            }
        });
        String line;
        try {
            line = first.get(builder.timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | InterruptedException | ExecutionException error) {
            process.destroyForcibly();
            throw new MockAPNsException(program + " was not ready within " + builder.timeout.toMillis() + " ms ("
                + complaints.join() + "); give it longer by timeout(), or run it by hand to see what it waits for", error);
        }
        if (line == null) {
            throw new MockAPNsException(program + " ended at its start with exit code " + code() + ": " + complaints.join());
        }
        Map<String, Object> facts;
        try {
            facts = Json.object(line);
        } catch (RuntimeException error) {
            process.destroyForcibly();
            throw new MockAPNsException(program + " wrote \"" + line.substring(0, Math.min(80, line.length()))
                + "\" where mock-apns writes its ready line; set MOCK_APNS_PROGRAM to mock-apns", error);
        }
        admin = new Admin((String) facts.get("admin"));
        samePlace = true;
        for (var kind : List.of("apns", "h2c", "http1")) {
            if (facts.get(kind) instanceof Map<?, ?> place) urls.put(kind, (String) place.get("url"));
        }
        ca = fetchAuthority();
        atExit = new Thread(() -> remove(folder));
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Joins a server that somebody else has started. */
    private MockAPNs(String adminURL, String url) {
        admin = new Admin(adminURL);
        process = null;
        folder = null;
        atExit = null;
        var info = admin.json("GET", "/v1/info", null);
        ca = fetchAuthority();
        samePlace = fileIs((String) ((Map<?, ?>) info.get("ca")).get("file"), ca);
        if (url != null) urls.put("apns", url);
        if (System.getenv("MOCK_APNS_H2C_URL") != null) urls.put("h2c", System.getenv("MOCK_APNS_H2C_URL"));
        if (System.getenv("MOCK_APNS_HTTP1_URL") != null) urls.put("http1", System.getenv("MOCK_APNS_HTTP1_URL"));
        var host = URI.create(adminURL).getHost();
        for (var each : (List<?>) info.get("listeners")) {
            var listener = (Map<?, ?>) each;
            var kind = (String) listener.get("kind");
            // Listeners on all addresses are reached where the admin API is.
            var address = ((String) listener.get("address")).replaceFirst("^(0\\.0\\.0\\.0|\\[::\\]):", host + ":");
            urls.putIfAbsent(kind, (kind.equals("apns") ? "https://" : "http://") + address);
        }
    }

    private String fetchAuthority() {
        return admin.call("GET", "/v1/ca.pem", "*/*", null).text();
    }

    private static boolean fileIs(String file, String text) {
        try {
            return Files.readString(Path.of(file)).equals(text);
        } catch (IOException error) {
            return false;
        }
    }

    private void inBackground(Runnable work) {
        var thread = new Thread(work, "mock-apns");
        thread.setDaemon(true);
        thread.start();
    }

    private static String lastWords(InputStream stream) {
        var text = new StringBuilder();
        try (var reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            var part = new char[1024];
            for (int count; (count = reader.read(part)) >= 0;) {
                text.append(part, 0, count);
                if (text.length() > 4096) text.delete(0, text.length() - 4096);
            }
        } catch (IOException error) {
            // It has ended; what it said until then is here.
        }
        return text.toString().isBlank() ? "it wrote nothing to standard error" : text.toString().strip();
    }

    private int code() {
        try {
            return process.waitFor();
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    /** Makes a namespace: a world of its own, called by this name and a random end. */
    public APNs namespace(String name) {
        return namespace(name, Map.of());
    }

    /** The same, with members of the body of POST /v1/namespaces. */
    public APNs namespace(String name, Map<String, ?> members) {
        var plain = name.replaceAll("[^A-Za-z0-9._-]+", "-");
        var order = new HashMap<String, Object>(Map.of("ttl", "1h", "key", true));
        // The random end keeps parallel runs apart.
        order.put("name", String.format("%.80s-%08x", plain, ThreadLocalRandom.current().nextInt()));
        // Ports of its own let senders choose it by their URL alone; those of a container are not reached from here.
        if (samePlace) order.put("port", 0);
        order.putAll(members);
        return new APNs(this, admin.json("POST", "/v1/namespaces", order));
    }

    /** The admin API of the server. */
    public String adminURL() {
        return admin.base;
    }

    @Override
    public void close() {
        if (process == null) return;
        try {
            // The server ends with its standard input.
            process.getOutputStream().close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IOException | IllegalStateException error) {
            process.destroyForcibly();
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
        remove(folder);
    }

    private static void remove(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException error) {
            // It is the system's folder for temporary files; what is left there does no harm.
        }
    }
}
