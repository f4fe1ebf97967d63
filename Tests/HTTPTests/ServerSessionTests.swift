import HTTP
import HTTP2
import Testing

/// A server session talks to nghttp2's own client.
@Suite struct ServerSessionTests {
    @Test func `a request arrives whole and its answer ends on the HEADERS frame`() throws {
        let id = try #require(UUIDText("eabeae54-14a8-11e5-b60b-1697f925ec7b".utf8))
        let pair = try SessionPair { _ in HTTPResponse(status: 200, fields: [.init(.apnsID, .id(id))]) }
        let body = Array(#"{"aps":{"alert":"hi"}}"#.utf8)
        let response = try pair.push([("apns-topic", "com.example.app"), ("x-trace", "1")], body: body)

        #expect(response.status == 200)
        #expect(response.endedOnHeaders)
        #expect(response.dataFrames == 0)
        #expect(response.fields.map { "\($0.name): \($0.value)" } == ["apns-id: eabeae54-14a8-11e5-b60b-1697f925ec7b"])

        let (stream, request) = try #require(pair.owner.requests.first)
        #expect(stream == 1)
        #expect(request.text(.method) == "POST")
        #expect(request.text(.path) == "/3/device/abcd")
        #expect(request.text(.apnsTopic) == "com.example.app")
        #expect(request.fields.map(\.name) == [.method, .scheme, .authority, .path, .apnsTopic, .other])
        #expect(request.text(in: request.fields[5].nameRange) == "x-trace")
        #expect(Array(request.storage[request.bodyRange]) == body)
        #expect(pair.owner.closed.map(\.code) == [0])
        #expect(pair.server.openStreams == 0)
    }

    @Test func `an error is HEADERS and one DATA frame`() throws {
        let pair = try SessionPair { _ in
            HTTPResponse(status: 410, fields: [], body: .constant(#"{"reason":"Unregistered"}"#))
        }
        let response = try pair.push()
        #expect(response.status == 410)
        #expect(!response.endedOnHeaders)
        #expect(response.dataFrames == 1)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"reason":"Unregistered"}"#)
    }

    @Test func `the first SETTINGS are those of APNs`() throws {
        let pair = try SessionPair()
        try pair.run()
        #expect(
            pair.client.serverSettings == [
                .headerTableSize(4096), .maxConcurrentStreams(1000), .initialWindowSize(65535), .maxFrameSize(16384),
                .maxHeaderListSize(8000),
            ])
    }
}
