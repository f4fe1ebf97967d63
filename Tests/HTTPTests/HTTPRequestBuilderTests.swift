import HTTP
import Testing

@Suite struct HTTPRequestBuilderTests {
    static func append(_ name: String, _ value: String, to builder: inout HTTPRequestBuilder) {
        Array(name.utf8).withUnsafeBytes { name in
            Array(value.utf8).withUnsafeBytes { builder.append(name: name, value: $0) }
        }
    }

    static func append(body: String, to builder: inout HTTPRequestBuilder, limit: Int = 1000) {
        Array(body.utf8).withUnsafeBytes { builder.appendBody($0, limit: limit) }
    }

    @Test func `a request comes out as it went in`() {
        var builder = HTTPRequestBuilder()
        for (name, value) in [(":method", "POST"), ("x-a", ""), ("apns-topic", "com.example.app")] {
            Self.append(name, value, to: &builder)
        }
        #expect(builder.headerListSize == 7 + 4 + 3 + 10 + 15 + 3 * 32)
        Self.append(body: "{", to: &builder)
        Self.append(body: "", to: &builder)
        Self.append(body: "}", to: &builder)
        let request = builder.request()
        #expect(String(decoding: request.storage, as: UTF8.self) == ":methodPOSTx-aapns-topiccom.example.app{}")
        #expect(request.fields.map(\.name) == [.method, .other, .apnsTopic])
        #expect(request.fields.map { request.text(in: $0.nameRange) } == [":method", "x-a", "apns-topic"])
        #expect(request.fields.map { request.text(in: $0.valueRange) } == ["POST", "", "com.example.app"])
        #expect(request.text(in: request.bodyRange) == "{}")
        #expect(builder.headerListSize == 7 + 4 + 3 + 10 + 15 + 3 * 32)
    }

    @Test func `a builder can be used again, also after a large request`() {
        var builder = HTTPRequestBuilder()
        for size in [10, 100_000, 20, 3000, 9000, 0] {
            let value = String(repeating: "v", count: size)
            for number in 0..<(size / 30 + 1) { Self.append("n\(number)", number == 0 ? value : "", to: &builder) }
            Self.append(body: value, to: &builder, limit: .max)
            let request = builder.request()
            #expect(request.fields.count == size / 30 + 1)
            #expect(request.fields.first.map { request.text(in: $0.valueRange) } == value)
            #expect(request.fields.last.map { request.text(in: $0.nameRange) } == "n\(size / 30)")
            #expect(request.text(in: request.bodyRange) == value)
            builder.reset()
            #expect(builder.request().storage.isEmpty && builder.request().fields.isEmpty)
            #expect(builder.headerListSize == 0 && builder.bodyCount == 0)
        }
    }

    @Test(arguments: [[3], [2, 1], [5], [3, 3], [0, 4, 0, 9], [2, 2, 2]])
    func `a body is cut at the limit and counted whole`(pieces: [Int]) {
        var builder = HTTPRequestBuilder()
        Self.append("a", "b", to: &builder)
        for count in pieces { Self.append(body: String(repeating: "x", count: count), to: &builder, limit: 3) }
        let total = pieces.reduce(0, +)
        let request = builder.request()
        #expect(request.text(in: request.bodyRange) == "xxx")
        #expect(request.bodyBytesReceived == total)
        #expect(request.droppedBodyBytes == total - 3)
        builder.reset()
        #expect(builder.request().droppedBodyBytes == 0)
    }
}
