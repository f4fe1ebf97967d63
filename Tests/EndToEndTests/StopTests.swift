import APNs
import EventLoop
import Foundation
import HTTP
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// How connections and servers end.
struct StopTests {
    private let payload = Array(#"{"aps":{"alert":"hi"}}"#.utf8)

    @Test func `a stop says Shutdown and closes the listeners`() throws {
        let server = try TestServer()
        let client = try server.client()
        #expect(try client.request(server.fields(), body: payload).status == 200)
        let address = server.address
        server.server.stop()
        let goAway = try client.goAway()
        #expect(goAway.code == 0)
        #expect(goAway.lastStream == 1)
        #expect(goAway.debugData == #"{"reason":"Shutdown"}"#)
        try client.waitForEnd()
        #expect(throws: EventLoopError.self) { try OutgoingConnection.open(to: address) }
        server.server.stop()
    }

    @Test func `a request in flight is answered before the server ends`() throws {
        let server = try TestServer {
            $0.limits.drainMilliseconds = 30_000
        }
        let peer = try server.framePeer()
        // The body follows when the server has said GOAWAY. A PING that is answered shows that it has the headers.
        try peer.send(.headers(server.fields(), stream: 1), .ping())
        _ = try peer.next(.ping, acknowledgement: true)
        let isStopped = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            server.server.stop()
            isStopped.signal()
        }
        let goAway = try peer.next(.goAway)
        #expect(goAway.lastStream == 1)
        try peer.send(.data(payload, stream: 1, endStream: true))
        let answer = try peer.next(.headers)
        #expect(answer.stream == 1)
        #expect(answer.flags.contains(.endStream))
        #expect(try peer.next() == nil)
        isStopped.wait()
        #expect(server.entries.map(\.content.outcome) == [.accepted])
    }

    @Test func `a client that never finishes does not keep the server`() throws {
        let server = try TestServer {
            $0.limits.drainMilliseconds = 50
        }
        let peer = try server.framePeer()
        try peer.send(.headers(server.fields(), stream: 1), .ping())
        _ = try peer.next(.ping, acknowledgement: true)
        server.server.stop()
        #expect(try peer.next(.goAway).debugText == #"{"reason":"Shutdown"}"#)
        // While a stream keeps the connection, its client is asked whether it knows GOAWAY.
        #expect(try peer.next()?.kind == .ping)
        #expect(try peer.next() == nil)
    }

    @Test func `a silent connection is told IdleTimeout`() throws {
        try TestServer.run {
            $0.idleTimeoutMilliseconds = 50
        } _: { server in
            let client = try server.client()
            #expect(try client.request(server.fields(), body: payload).status == 200)
            let goAway = try client.goAway()
            #expect(goAway.code == 0)
            #expect(goAway.debugData == #"{"reason":"IdleTimeout"}"#)
            try client.waitForEnd()
        }
    }
}
