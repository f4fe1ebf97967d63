import APNs
import HTTP
import Simulation
import TestSupport
import Testing

/// Scripted outcomes over HTTP/1.1: what it has no word for ends the connection.
struct HTTP1FaultTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    private func run(_ rule: String, _ body: (TestServer, TestHTTP1Client) throws -> Void) throws {
        try TestServer.run { server in
            try server.addRule(rule)
            try body(server, server.http1Client())
        }
    }

    @Test func `a delayed answer comes late, and its push was journaled before`() throws {
        try run(#"{"then": {"accept": true, "delay": "200ms"}}"#) { (server, client) throws in
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(try #require(server.entries.last?.afterMilliseconds) >= 199)
            #expect(server.simulator.script.waiting == 0)
        }
    }

    @Test func `an answer made by hand is sent with its fields`() throws {
        let rule = #"{"then": {"response": {"status": 500, "body": "<html>", "headers": {"retry-after": "3"}}}}"#
        try run(rule) { (server, client) throws in
            let response = try client.request(server.fields(), payload)
            #expect(response.status == 500 && response.body == "<html>" && response["retry-after"] == "3")
        }
    }

    @Test(
        arguments: [
            ("accept-then-drop", .accepted), ("close", .faulted), ("reset-stream", .faulted),
            ("goaway", .faulted),
        ] as [(String, JournalEntry.Outcome)])
    func `the connection ends without an answer`(fault: String, outcome: JournalEntry.Outcome) throws {
        let more = fault == "goaway" ? #", "lastStream": "none""# : ""
        try run(#"{"then": {"fault": "\#(fault)"\#(more)}}"#) { (server, client) throws in
            try client.send(server.fields(), payload)
            #expect(try client.waitForEnd() == "")
            #expect(server.entries.map(\.content.outcome) == [outcome])
            #expect(server.entries.last?.afterMilliseconds != nil)
        }
    }

    @Test func `what is silently discarded is answered`() throws {
        try run(#"{"then": {"fault": "silently-discard"}}"#) { (server, client) throws in
            #expect(try client.request(server.fields(), payload).status == 200)
        }
    }

    @Test(arguments: [#"{"fault": "hang"}"#, #"{"accept": true, "delay": "10m"}"#])
    func `what waits ends with the script, and nothing appears later`(outcome: String) throws {
        try run(#"{"when": {"times": 1}, "then": \#(outcome)}"#) { (server, client) throws in
            try client.send(server.fields(), payload)
            _ = try server.waitForEntries(1)
            // Its answer is registered with the script in the same turn that journaled it, or in this one.
            #expect(try server.http1Client().request(server.fields(), payload).status == 200)
            #expect(server.simulator.script.waiting == 1)
            server.simulator.reset()
            #expect(try client.waitForEnd() == "")
            #expect(server.entries.isEmpty)
            #expect(server.simulator.script.waiting == 0)
        }
    }

    @Test func `a client that leaves takes its delayed answer with it`() throws {
        try TestServer.run { server in
            try server.addRule(#"{"when": {"times": 1}, "then": {"delay": "10m"}}"#)
            var client: TestHTTP1Client? = try server.http1Client()
            try client?.send(server.fields(), payload)
            let entry = try #require(try server.waitForEntries(1).last)
            client = nil
            // Loops hand events on in order: a request that comes later finds the leaving done, now or after a few turns.
            for _ in 0..<1000 where entry.afterMilliseconds == nil {
                _ = try server.http1Client().request(server.fields(), payload)
            }
            #expect(entry.afterMilliseconds != nil)
            #expect(server.simulator.script.waiting == 0)
        }
    }
}
