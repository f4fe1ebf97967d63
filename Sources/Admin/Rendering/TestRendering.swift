import APNs
import HTTP
import JSON
import Simulation

/// A push as an assertion for a test: it waits for exactly one such push.
struct TestRendering {
    /// The languages and libraries of tests.
    enum Language: String, CaseIterable {
        case swift, pytest, go, junit, sh
    }

    /// A condition of the assertion.
    private struct Condition {
        let name: String
        let value: String
    }

    private let conditions: [Condition]
    private let isRefusal: Bool

    init(_ entry: JournalEntry) {
        let content = entry.content
        let request = content.request
        isRefusal = content.outcome != .accepted
        var conditions: [Condition] = []
        if let device = content.device {
            conditions.append(Condition(name: "device", value: request.text(in: device)))
        } else if let channel = request.text(.apnsChannelID) {
            conditions.append(Condition(name: "channel", value: channel))
        }
        if let topic = request.text(.apnsTopic) { conditions.append(Condition(name: "topic", value: topic)) }
        if isRefusal {
            if let reason = content.reason {
                conditions.append(Condition(name: "reason", value: reason.spelling().description))
            }
        } else {
            conditions += Self.text(request) ?? Self.type(content)
        }
        self.conditions = conditions
    }

    /// The assertion, with a line feed at its end.
    func text(_ language: Language) -> String {
        switch language {
        case .swift: swift
        case .pytest: pytest
        case .go: go
        case .junit: junit
        case .sh: shell
        }
    }

    /// What a person would read of the push.
    private static func text(_ request: HTTPRequest) -> [Condition]? {
        var document = JSONDocument()
        guard document.parse(request.storage, in: request.bodyRange) == nil else { return nil }
        for path in ["aps.alert.title", "aps.alert.loc-key", "aps.alert.body", "aps.alert"] {
            guard let text = document.element(at: path).flatMap({ document.string($0) }), !text.isEmpty else {
                continue
            }
            return [Condition(name: path, value: text)]
        }
        return nil
    }

    private static func type(_ content: JournalEntry.Content) -> [Condition] {
        content.pushType.map { [Condition(name: "type", value: $0.rawValue)] } ?? []
    }

    // MARK: Languages

    private var path: String { isRefusal ? "/v1/requests" : "/v1/notifications" }

    private var query: String {
        let asked = conditions.map { "\(PercentText.encode($0.name))=\(PercentText.encode(Self.exact($0.value)))" }
        return (asked + ["exactly=1", "wait=5s"]).joined(separator: "&").split(separator: ":").joined(separator: "%3A")
    }

    private var swift: String {
        let device = conditions.first { $0.name == "device" }?.value
        let others = conditions.filter { $0.name != "device" }
        let pairs = others.map { "\(Self.literal($0.name)): \(Self.literal(Self.exact($0.value)))" }
        let arguments =
            ["exactly: 1"] + (device.map { ["to: \(Self.literal($0))"] } ?? [])
            + (pairs.isEmpty ? [] : ["where: [\(pairs.joined(separator: ", "))]"]) + ["within: .seconds(5)"]
        guard isRefusal else {
            return "try await apns.notifications(\n    \(arguments.joined(separator: ", ")))\n"
        }
        return """
            // The library waits for accepted pushes; refusals are asked for over HTTP.
            let url = URL(string: ProcessInfo.processInfo.environment["MOCK_APNS_ADMIN"]! + \(Self.literal(path + "?" + query)))!
            let (data, response) = try await URLSession.shared.data(from: url)
            #expect((response as? HTTPURLResponse)?.statusCode == 200, "\\(String(decoding: data, as: UTF8.self))")

            """
    }

    private var pytest: String {
        let pairs = conditions.map { "\(Self.literal($0.name)): \(Self.literal(Self.exact($0.value)))" }
        return """
            answer = httpx.get(
                os.environ["MOCK_APNS_ADMIN"] + "\(path)", timeout=10, headers={"accept": "text/plain"},
                params={\((pairs + [#""exactly": 1"#, #""wait": "5s""#]).joined(separator: ", "))})
            assert answer.status_code == 200, answer.text

            """
    }

    private var go: String {
        """
        answer, err := http.Get(os.Getenv("MOCK_APNS_ADMIN") + \(Self.literal(path + "?" + query)))
        if err != nil {
        \tt.Fatal(err)
        }
        defer answer.Body.Close()
        if body, _ := io.ReadAll(answer.Body); answer.StatusCode != 200 {
        \tt.Fatal(string(body))
        }

        """
    }

    private var junit: String {
        """
        var answer = HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(URI.create(System.getenv("MOCK_APNS_ADMIN") + \(Self.literal(path + "?" + query)))).build(),
            HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());

        """
    }

    private var shell: String {
        guard isRefusal else {
            let words = conditions.map { condition in
                let value = Self.exact(condition.value)
                return condition.name.contains(".")
                    ? "--where " + ShellText.quoted("\(condition.name)=\(value)")
                    : "--\(condition.name) " + ShellText.quoted(value)
            }
            return (["mock-apns wait"] + words + ["--exactly 1 --for 5s"]).joined(separator: " \\\n  ") + "\n"
        }
        return
            "curl -sS --fail-with-body -H 'accept: text/plain' \\\n  \"$MOCK_APNS_ADMIN\"\(ShellText.quoted(path + "?" + query))\n"
    }

    /// The value as a filter that means exactly it.
    private static func exact(_ value: String) -> String {
        value.split(separator: "*", omittingEmptySubsequences: false).joined(separator: #"\*"#)
    }

    /// A literal that means the same in Swift, Python, Go and Java: what not all of them read alike is escaped.
    private static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
