import Server
import Testing

struct FlagValueTests {
    @Test(arguments: [
        ("0", 0), ("250", 250), ("250ms", 250), ("5s", 5000), ("1.5s", 1500), ("2m", 120_000), ("1h", 3_600_000),
    ])
    func `durations`(_ text: String, _ milliseconds: Int64) throws {
        #expect(try FlagValue.milliseconds(text) == milliseconds)
    }

    @Test(arguments: ["", "s", "-1s", "5x", "five", "1e300s", "nan", "infs"])
    func `what is no duration`(_ text: String) {
        #expect(throws: UsageError.self) { try FlagValue.milliseconds(text) }
    }

    @Test(arguments: [("0", 0), ("4096", 4096), ("64KiB", 65536), ("64mib", 64 << 20), ("1GiB", 1 << 30), ("7B", 7)])
    func `sizes`(_ text: String, _ bytes: Int) throws {
        #expect(try FlagValue.bytes(text) == bytes)
    }

    @Test(arguments: ["", "KiB", "-1", "1.5MiB", "99999999999GiB", "ten"])
    func `what is no size`(_ text: String) {
        #expect(throws: UsageError.self) { try FlagValue.bytes(text) }
    }

    @Test func `a whole number keeps to its range`() throws {
        #expect(try FlagValue.integer("64", in: 1...64) == 64)
        #expect(throws: UsageError.self) { try FlagValue.integer("65", in: 1...64) }
        #expect(throws: UsageError.self) { try FlagValue.integer("0", in: 1...64) }
        #expect(throws: UsageError.self) { try FlagValue.integer("99999999999999999999", in: 1...Int.max) }
    }

    @Test func `a key file's name may hold colons`() throws {
        #expect(
            try KeyFile("C:keys/AuthKey.p8:ABC123DEFG:DEF123GHIJ")
                == KeyFile(file: "C:keys/AuthKey.p8", keyID: "ABC123DEFG", teamID: "DEF123GHIJ"))
    }

    @Test func `a key file may be limited to topics`() throws {
        #expect(
            try KeyFile("a.p8:ABC123DEFG:DEF123GHIJ:com.acme.*+com.other.app").topics == [
                "com.acme.*", "com.other.app",
            ])
    }

    @Test(arguments: [
        "", "a.p8", "a.p8:ABC123DEFG", "a.p8:SHORT:DEF123GHIJ", "a.p8:ABC123DEFG:TOO-LONG-TEAM",
        ":ABC123DEFG:DEF123GHIJ",
    ])
    func `what is no key file`(_ text: String) {
        #expect(throws: UsageError.self) { try KeyFile(text) }
    }
}
