import APNs
import EventLoop
import HTTP
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// Single pushes over the wire: what a sender gets, and what the journal and the log hold by then.
struct PushTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    @Test func `an accepted push is answered as APNs does it`() throws {
        try TestServer.run { server in
            let response = try server.client().request(server.fields(), payload)
            #expect(response.status == 200)
            #expect(response.endedOnHeaders)
            #expect(response.dataFrames == 0)
            #expect(response.fields.map(\.name) == ["apns-id", "apns-unique-id"])
            let id = try #require(response["apns-id"])
            #expect(id == id.uppercased() && id.utf8.count == 36)
        }
    }

    @Test func `a refused push gets the status, the id and the reason in one DATA frame`() throws {
        try TestServer.run { server in
            let fields = server.fields(["apns-priority": "7", "apns-id": "eabeae54-14a8-11e5-b60b-1697f925ec7b"])
            let response = try server.client().request(fields, payload)
            #expect(response.status == 400)
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"reason":"BadPriority"}"#)
            #expect(response.dataFrames == 1)
            #expect(response.fields.map(\.name) == ["apns-id"])
            #expect(response["apns-id"] == "eabeae54-14a8-11e5-b60b-1697f925ec7b")
        }
    }

    @Test func `whoever holds an answer finds its entry in the journal and its line in the log`() throws {
        try TestServer.run { server in
            let client = try server.client()
            for number in 1...20 {
                let response = try client.request(server.fields(), payload)
                let id = try #require(response["apns-id"])
                #expect(server.entries.last?.content.apnsID?.description == id)
                let lines = try server.folder.lines(of: "log.ndjson")
                #expect(lines.count == number)
                #expect(lines.last?.contains(id) == true)
            }
            #expect(server.entries.map(\.seq) == Array(1...20))
            #expect(server.entries.last?.content.requestsOnConnection == 20)
            #expect(server.entries.last?.afterMilliseconds != nil)
        }
    }

    @Test func `a body in many frames and a request without a body are whole requests`() throws {
        try TestServer.run { server in
            let client = try server.client()
            let long = #"{"aps":{"alert":""# + String(repeating: "x", count: 4000) + #""}}"#
            #expect(try client.request(server.fields(), long).status == 200)
            let empty = try client.request(server.fields())
            #expect(String(decoding: empty.body, as: UTF8.self) == #"{"reason":"PayloadEmpty"}"#)
            let huge = try client.request(server.fields(), String(repeating: "x", count: 200_000))
            #expect(huge.status == 413)
        }
    }

    @Test func `many pushes at once over one connection are each answered`() throws {
        try TestServer.run { server in
            let client = try server.client()
            let fields = server.fields()
            var streams: [Int32] = []
            for _ in 0..<900 { streams.append(try client.http2.submit(fields, body: Array(payload.utf8))) }
            try client.flush()
            for stream in streams { #expect(try client.response(to: stream).status == 200) }
            #expect(server.entries.count == 900)
            #expect(Set(server.entries.compactMap(\.content.apnsID)).count == 900)
        }
    }

    @Test func `several loops share the connections and number the entries without gaps`() throws {
        try TestServer.run {
            $0.threads = 3
        } _: { server in
            let clients = try (0..<12).map { _ in try server.client() }
            for _ in 0..<10 {
                for client in clients { #expect(try client.request(server.fields(), payload).status == 200) }
            }
            #expect(server.entries.map(\.seq) == Array(1...120))
            #expect(Set(server.entries.map(\.content.connection.value.id)).count == 12)
        }
    }
}
