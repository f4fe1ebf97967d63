import Foundation
import HTTP2
import TestSupport
import Testing

/// A server that is killed loses nothing that it said yes to.
struct KillTests {
    @Test func `killed in the middle of a burst, twenty times, the log holds every push that was answered`() throws {
        let seed: UInt64 = 0x5EED_0001
        var random = SplitMix(state: seed)
        let folder = try TemporaryFolder()
        var answered: Set<String> = []
        for round in 1...20 {
            let server = try ServeProcess("-q", in: folder)
            let killAfter = Int.random(in: 1...300, using: &random)
            let ids = try burst(server, killAfter: killAfter)
            #expect(ids.count >= killAfter)
            answered.formUnion(ids)
            let text = try String(contentsOfFile: folder.file("inspection.ndjson"), encoding: .utf8)
            let logged = Set(text.components(separatedBy: "\"apnsId\":\"").dropFirst().map { String($0.prefix(36)) })
            let missing = ids.filter { !logged.contains($0) }
            #expect(missing.isEmpty, "seed \(seed), round \(round), killed after \(killAfter): \(missing.count) lost")
        }
        // The next server finds a log of whole lines, each with what was answered.
        let last = try ServeProcess("-q", in: folder)
        last.signal(SIGTERM)
        #expect(last.wait() == 0)
        let entries = try folder.lines(of: "inspection.ndjson").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(answered.isSubset(of: Set(entries.compactMap { $0["apnsId"] as? String })))
    }

    /// Sends 400 pushes at once and kills the server after so many answers; the ids of all answers that came.
    private func burst(_ server: ServeProcess, killAfter: Int) throws -> [String] {
        let client = try server.client()
        let fields = try server.pushFields()
        for _ in 0..<400 { _ = try client.http2.submit(fields, body: Array(#"{"aps":{"alert":"hi"}}"#.utf8)) }
        try client.flush()
        var ids: [String] = []
        while true {
            let answer: HTTP2ClientSession.Response?
            do {
                answer = try client.event { if case .response(_, let response) = $0 { response } else { nil } }
            } catch {
                break  // The connection has ended with the server.
            }
            guard let answer else { break }
            #expect(answer.status == 200)
            ids.append(try #require(answer["apns-id"]))
            if ids.count == killAfter { server.signal(SIGKILL) }
        }
        #expect(server.wait() == -SIGKILL)
        return ids
    }
}

/// A small generator with a seed that can be printed (splitmix64).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
