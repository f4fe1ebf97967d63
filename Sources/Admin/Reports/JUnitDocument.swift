/// A JUnit report, as continuous integration reads it.
struct JUnitDocument {
    /// One test case.
    struct Case {
        var name: String
        /// How long it took.
        var milliseconds: Int64 = 0
        /// Type and text of a failure.
        var failure: (type: String, text: String)?
        /// The same for what is no failure of a test but of what is around it.
        var error: (type: String, text: String)?
        /// What the case has to say besides.
        var output: String?
    }

    private let suite: String
    private var body = ""
    private var tests = 0
    private var failures = 0
    private var errors = 0

    /// A report without cases.
    init(_ suite: String) {
        self.suite = suite
    }

    /// Adds a case.
    mutating func add(_ test: Case) {
        tests += 1
        let milliseconds = max(0, test.milliseconds)
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        body += "    <testcase classname=\"\(Self.escaped(suite))\" name=\"\(Self.escaped(test.name))\" "
        body += "time=\"\(milliseconds / 1000).\(fraction)\""
        guard test.failure != nil || test.error != nil || test.output != nil else {
            body += "/>\n"
            return
        }
        body += ">\n"
        if let failure = test.failure {
            failures += 1
            body += Self.element("failure", failure.type, failure.text)
        }
        if let error = test.error {
            errors += 1
            body += Self.element("error", error.type, error.text)
        }
        if let output = test.output { body += "      <system-out>\(Self.escaped(output))</system-out>\n" }
        body += "    </testcase>\n"
    }

    /// The document.
    var text: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="\(Self.escaped(suite))" tests="\(tests)" failures="\(failures)" errors="\(errors)" skipped="0">
        \(body)  </testsuite>
        </testsuites>

        """
    }

    private static func element(_ name: String, _ type: String, _ text: String) -> String {
        let line = text.prefix { $0 != "\n" }
        return
            "      <\(name) type=\"\(escaped(type))\" message=\"\(escaped(String(line)))\">\(escaped(text))</\(name)>\n"
    }

    /// The text for XML 1.0, which has no place for most control characters.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
