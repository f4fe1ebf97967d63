import HTTP
import Testing

@Suite struct HTTPRequestTests {
    static func request(_ fields: [(HeaderName, String, String)], body: String = "") -> HTTPRequest {
        var request = HTTPRequest()
        for (name, spelling, value) in fields {
            Array(spelling.utf8).withUnsafeBytes { spelling in
                Array(value.utf8).withUnsafeBytes { request.append(name, name: spelling, value: $0) }
            }
        }
        Array(body.utf8).withUnsafeBytes { request.appendBody($0) }
        return request
    }

    @Test func `names, values and body lie in one run`() {
        let request = Self.request(
            [(.method, ":method", "POST"), (.other, "x-a", ""), (.apnsTopic, "apns-topic", "com.example.app")],
            body: "{}")
        #expect(String(decoding: request.storage, as: UTF8.self) == ":methodPOSTx-aapns-topiccom.example.app{}")
        #expect(request.fields.map { request.text(in: $0.nameRange) } == [":method", "x-a", "apns-topic"])
        #expect(request.fields.map { request.text(in: $0.valueRange) } == ["POST", "", "com.example.app"])
        #expect(request.text(in: request.bodyRange) == "{}")
        #expect(request.bodyBytesReceived == 2)
    }

    @Test func `the first field of a name counts and a missing one is nil`() {
        let request = Self.request([(.apnsTopic, "apns-topic", "one"), (.apnsTopic, "apns-topic", "two")])
        #expect(request.text(.apnsTopic) == "one")
        #expect(request.text(.apnsID) == nil)
        #expect(request.bodyRange.isEmpty)
    }

    @Test func `a body that was cut still knows its length`() {
        var request = Self.request([], body: "abc")
        request.droppedBodyBytes = 7
        #expect(request.bodyBytesReceived == 10)
    }
}
