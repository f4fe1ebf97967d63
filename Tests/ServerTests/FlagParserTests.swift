import APNs
import Server
import Simulation
import Testing

struct FlagParserTests {
    private func parse(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Configuration {
        try Configuration.parser.parse(arguments, environment: environment, into: Configuration()).settings
    }

    @Test func `a flag beats its variable, which beats the default`() throws {
        #expect(try parse([]).threads == 1)
        #expect(try parse([], ["MOCK_APNS_THREADS": "2"]).threads == 2)
        #expect(try parse(["--threads", "3"], ["MOCK_APNS_THREADS": "2"]).threads == 3)
        #expect(try parse(["--threads=4"]).threads == 4)
    }

    @Test func `the last of a flag that is given twice counts`() throws {
        #expect(try parse(["--team", "AAAAAAAAAA", "--team", "BBBBBBBBBB"]).team == "BBBBBBBBBB")
    }

    @Test func `a repeatable flag takes commas in the environment and is replaced as a whole by the command line`()
        throws
    {
        let environment = ["MOCK_APNS_SAN": "one.test,two.test"]
        #expect(try parse([], environment).subjectNames == ["one.test", "two.test"])
        #expect(try parse(["--san", "three.test"], environment).subjectNames == ["three.test"])
        #expect(try parse(["--san", "a.test", "--san", "b.test"]).subjectNames == ["a.test", "b.test"])
    }

    @Test func `a switch takes yes and no behind an equals sign and in the environment`() throws {
        #expect(try parse(["--log-fsync"]).logSyncs)
        #expect(try !parse(["--log-fsync=no"]).logSyncs)
        #expect(try parse([], ["MOCK_APNS_LOG_FSYNC": "1"]).logSyncs)
        #expect(try !parse(["--log-fsync=false"], ["MOCK_APNS_LOG_FSYNC": "1"]).logSyncs)
    }

    @Test func `a short flag is the long one`() throws {
        #expect(try parse(["-q"]).process.isQuiet)
    }

    @Test func `an unknown flag is refused with the nearest name`() throws {
        let error = #expect(throws: UsageError.self) { try parse(["--lisen", ":0"]) }
        #expect(error?.description == "unknown flag --lisen; did you mean --listen? see mock-apns serve --help")
        #expect(error?.exitCode == .usage)
    }

    @Test func `a missing value says how the flag is written`() throws {
        let error = #expect(throws: UsageError.self) { try parse(["--threads"]) }
        #expect(error?.description.hasPrefix("--threads needs a value: --threads N") == true)
    }

    @Test func `a bad value is named with where it came from`() throws {
        let flag = #expect(throws: UsageError.self) { try parse(["--threads", "many"]) }
        #expect(flag?.description == "--threads: \"many\" is not a whole number from 1 to 64")
        #expect(flag?.exitCode == .usage)
        let variable = #expect(throws: UsageError.self) { try parse([], ["MOCK_APNS_PROFILE": "strickt"]) }
        #expect(
            variable?.description
                == "MOCK_APNS_PROFILE: \"strickt\" is none of strict, live, lenient; did you mean strict?")
        #expect(variable?.exitCode == .badConfiguration)
    }

    @Test func `an unknown variable of our prefix is a warning with the nearest name`() throws {
        let environment = ["MOCK_APNS_LISTENN": ":0", "MOCK_APNS_ADMIN": "http://127.0.0.1:1", "HOME": "/"]
        let result = try Configuration.parser.parse(
            [], environment: environment, otherVariables: ["MOCK_APNS_ADMIN"], into: Configuration())
        #expect(
            result.warnings == [
                "the environment variable MOCK_APNS_LISTENN has no meaning here and is ignored; did you mean MOCK_APNS_LISTEN?"
            ])
    }

    @Test func `operands and what is behind two dashes are kept apart`() throws {
        let result = try Configuration.parser.parse(["one", "-q", "two", "--", "-x", "y"], into: Configuration())
        #expect(result.operands == ["one", "two"])
        #expect(result.rest == ["-x", "y"])
    }

    @Test func `ephemeral is a default that other flags change, wherever they stand`() throws {
        let settings = try parse(["--ready", "line", "--ephemeral"])
        #expect(settings.process.ready == .line)
        #expect(settings.process.exitsOnStandardInputClose)
    }

    @Test func `unknown devices and the rate of pushes are settings`() throws {
        #expect(try parse([]).simulation.acceptsUnknownDevices)
        #expect(try !parse(["--unknown-devices", "reject"]).simulation.acceptsUnknownDevices)
        #expect(
            try parse(["--device-rate", "5/1m"]).simulation.deviceRate == DeviceRate(count: 5, milliseconds: 60_000))
        #expect(try parse(["--device-rate", "off"]).simulation.deviceRate == nil)
        let error = #expect(throws: UsageError.self) { try parse(["--device-rate", "many"]) }
        #expect(error?.description == "--device-rate: \"many\" is no rate; expected \(DeviceRate.expected)")
    }

    @Test func `every flag has its own name, letter and help, and the help lists it`() {
        let flags = Configuration.parser.flags
        #expect(Set(flags.map(\.name)).count == flags.count)
        #expect(Set(flags.compactMap(\.letter)).count == flags.compactMap(\.letter).count)
        let help = Configuration.parser.help(usage: "serve [flags]", summary: "Runs the server.")
        for flag in flags {
            #expect(!flag.help.isEmpty)
            #expect(help.contains(flag.usage))
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    /// Values of which each flag that takes one understands at least one, other than its default.
    private static let samples = [
        "7", "live", "5/1m", "accept", "documented", "off", "json", "warning", "5s", "2026-01-01T00:00:00Z",
        "127.0.0.1:1", "2200-2231",
        "keys/K.p8:ABC123DEFG:DEF123GHIJ", "AAAAAAAAAA", "com.acme.*", "name.test", "reject", "403", "dns",
    ]

    /// Everything that a configuration says, as text.
    private func shown(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String {
        var text = ""
        dump(try parse(arguments, environment), to: &text)
        return text
    }

    @Test(arguments: Configuration.parser.flags.map(\.name))
    func `every flag has a variable that means the same`(name: String) throws {
        let flag = try #require(Configuration.parser.flags.first { $0.name == name })
        let variable = try #require(flag.environmentName)
        #expect(variable == "MOCK_APNS_" + name.uppercased().replacing("-", with: "_"))
        let standard = try shown([])
        if flag.valueName == nil {
            #expect(try shown(["--" + name]) == shown([], [variable: "1"]))
            #expect(try shown(["--" + name]) != standard)
            return
        }
        let value = try #require(
            Self.samples.first { (try? shown(["--" + name, $0])).map { $0 != standard } ?? false },
            "no sample is understood")
        #expect(try shown(["--" + name, value]) == shown([], [variable: value]))
    }
}
