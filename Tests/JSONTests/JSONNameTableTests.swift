import JSON
import Testing

struct JSONNameTableTests {
    static let names: [StaticString] = [
        "a", "aps", "alert", "alarm", "thread-id", "content-available", "content-availablf", "interruption-level",
        "exactly-eight-and-more24", "12345678", "1234567", "loc-key", "loc-args",
    ]
    static let table = JSONNameTable(names)

    func document(_ text: String) throws -> JSONDocument {
        var document = JSONDocument()
        if let fault = document.parse(Array(text.utf8)) { throw fault }
        return document
    }

    @Test func `every name has its place, as a name and as a text`() throws {
        for (place, name) in Self.names.enumerated() {
            let document = try document("{\"\(name)\":\"\(name)\"}")
            let member = try #require(document.firstChild(of: document.root))
            #expect(document.place(ofName: member, in: Self.table) == place)
            #expect(document.place(ofText: member, in: Self.table) == place)
        }
    }

    @Test(arguments: [
        "", "ap", "apsx", "Aps", "thread_id", "content-availabl", "content-availablee", "interruption-leve1",
        "exactly-eight-and-more25", "exactly-eight-and-more24x", "123456789", "é", "aps\\u0000",
    ]) func `other names have none`(_ name: String) throws {
        let document = try document("{\"\(name)\":\"\(name)\"}")
        let member = try #require(document.firstChild(of: document.root))
        #expect(document.place(ofName: member, in: Self.table) == nil)
        #expect(document.place(ofText: member, in: Self.table) == nil)
    }

    @Test func `escapes make no difference`() throws {
        let document = try document(#"{"\u0061ps":"al\u0065rt","x":1}"#)
        let members = document.children(of: document.root)
        #expect(document.place(ofName: members[0], in: Self.table) == 1)
        #expect(document.place(ofText: members[0], in: Self.table) == 2)
        #expect(document.place(ofText: members[1], in: Self.table) == nil)
    }

    @Test(
        arguments: [
            ("threadId", 4), ("thread_id", 4), ("THREAD-ID", 4), ("_th-re-adid_", nil), ("ContentAvailable", 5),
            ("thread", nil), ("threadid2", nil), ("aps", 1), ("A_P_S", 1), ("thread id", nil), ("\\u0061PS", 1),
            ("", nil),
        ] as [(String, Int?)]) func `loose comparison ignores case, hyphens and underscores`(
            _ name: String, _ place: Int?
        ) throws
    {
        let document = try document("{\"\(name)\":1}")
        let member = try #require(document.firstChild(of: document.root))
        #expect(document.loosePlace(ofName: member, in: Self.table) == place)
    }

    @Test func `a walk gives every member with its place and kind`() throws {
        let document = try document(#"{"x":[1,{"aps":2}],"aps":{"y":null},"a":"s","al\u0061rm":true}"#)
        var walked: [JSONMember] = []
        var next = document.firstMember(of: document.root, in: Self.table)
        while let member = next {
            walked.append(member)
            next = document.member(after: member, in: Self.table)
        }
        #expect(walked.map(\.place) == [-1, 1, 0, 3])
        #expect(walked.map(\.kind) == [.array, .object, .string, .boolean])
        #expect(walked.map(\.element) == document.children(of: document.root))
        #expect(document.firstMember(of: walked[0].element, in: Self.table) == nil)
        #expect(document.firstMember(of: walked[2].element, in: Self.table) == nil)
    }

    @Test(arguments: [
        ("order", JSONNameStyle.none), ("order2", .none), ("ORDER", .none), ("", .none), ("42", .none),
        ("order_id", .snake),
        ("order-id", .kebab), ("orderId", .camel), ("orderID", .camel), ("OrderId", .pascal), ("_source", .none),
        ("gcm.message_id", .none), ("Order_Id", .snake), ("préFixe", .none), ("order\\u0049d", .none),
    ]) func `names have styles`(_ name: String, _ style: JSONNameStyle) throws {
        let document = try document("{\"\(name)\":1}")
        let member = try #require(document.firstChild(of: document.root))
        #expect(document.nameStyle(of: member) == style)
    }
}
