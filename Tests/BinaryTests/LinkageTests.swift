import Foundation
import Testing

/// What the program must not need.
struct LinkageTests {
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/ldd")))
    func `neither Foundation nor ICU is linked`() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/ldd")
        process.arguments = [Program.url.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let names = text.split(separator: "\n").compactMap {
            $0.split(whereSeparator: \.isWhitespace).first.map(String.init)
        }
        for unwanted in ["libFoundation.so", "libFoundationInternationalization.so", "lib_FoundationICU.so", "libicu"] {
            #expect(
                !names.contains { $0.contains(unwanted) },
                "\(unwanted) triples size and start time; FoundationEssentials is the most that may be used")
        }
        #expect(names.contains { $0.hasPrefix("libnghttp2") } || text.contains("statically linked"))
    }
}
