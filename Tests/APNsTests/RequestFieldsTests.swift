import APNs
import HTTP
import Testing

struct RequestFieldsTests {
    private func request(_ fields: [(HeaderName, String, String)]) -> HTTPRequest {
        var request = HTTPRequest()
        for (token, name, value) in fields {
            Array(name.utf8).withUnsafeBytes { name in
                Array(value.utf8).withUnsafeBytes { request.append(token, name: name, value: $0) }
            }
        }
        return request
    }

    private func text(_ place: ByteRange, of request: HTTPRequest) -> String? {
        place.range.map { request.text(in: $0) }
    }

    @Test func `each field is found wherever it stands`() {
        let request = request([
            (.apnsCollapseID, "apns-collapse-id", "c"), (.path, ":path", "/p"), (.apnsTopic, "apns-topic", ""),
            (.method, ":method", "POST"), (.authority, ":authority", "a"), (.authorization, "authorization", "b"),
            (.apnsID, "apns-id", "i"), (.apnsPushType, "apns-push-type", "t"), (.apnsPriority, "apns-priority", "5"),
            (.apnsExpiration, "apns-expiration", "0"), (.apnsChannelID, "apns-channel-id", "h"),
            (.apnsRequestID, "apns-request-id", "r"),
        ])
        let fields = RequestFields(request)
        #expect(text(fields.collapseID, of: request) == "c")
        #expect(text(fields.path, of: request) == "/p")
        #expect(text(fields.topic, of: request) == "", "an empty field is there")
        #expect(text(fields.method, of: request) == "POST")
        #expect(text(fields.authority, of: request) == "a")
        #expect(text(fields.authorization, of: request) == "b")
        #expect(text(fields.apnsID, of: request) == "i")
        #expect(text(fields.pushType, of: request) == "t")
        #expect(text(fields.priority, of: request) == "5")
        #expect(text(fields.expiration, of: request) == "0")
        #expect(text(fields.channelID, of: request) == "h")
        #expect(text(fields.requestID, of: request) == "r")
        #expect(!fields.duplicate.isPresent)
    }

    @Test func `host stands in for authority, in either order`() {
        #expect(RequestFields(request([(.host, "host", "h")])).authority.isPresent)
        for order in [
            [(HeaderName.host, "host", "h"), (.authority, ":authority", "a")],
            [(.authority, ":authority", "a"), (.host, "host", "h")],
        ] {
            let request = request(order)
            #expect(text(RequestFields(request).authority, of: request) == "a")
        }
    }

    @Test(
        arguments: [
            (.authorization, "authorization"), (.apnsID, "apns-id"), (.apnsPushType, "apns-push-type"),
            (.apnsTopic, "apns-topic"), (.apnsPriority, "apns-priority"), (.apnsExpiration, "apns-expiration"),
            (.apnsCollapseID, "apns-collapse-id"), (.apnsChannelID, "apns-channel-id"),
            (.apnsRequestID, "apns-request-id"), (.other, "apns-unheard-of"),
        ] as [(HeaderName, String)])
    func `a repeated field is a duplicate, and the first counts`(_ token: HeaderName, _ name: String) {
        let request = request([(token, name, "same"), (.other, "x-between", "1"), (token, name, "same")])
        #expect(text(RequestFields(request).duplicate, of: request) == name)
    }

    @Test func `other repeated fields are none`() {
        let request = request([
            (.other, "cookie", "a"), (.other, "cookie", "b"), (.other, "apns-a", "1"), (.other, "apns-b", "1"),
            (.contentType, "content-type", "a"), (.contentType, "content-type", "a"), (.userAgent, "user-agent", "a"),
            (.userAgent, "user-agent", "a"), (.host, "host", "h"), (.host, "host", "h"),
        ])
        #expect(!RequestFields(request).duplicate.isPresent)
    }
}
