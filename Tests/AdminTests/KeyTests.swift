import APNs
import Foundation
import Simulation
import TLS
import Testing

@testable import Admin

/// The keys of provider tokens through the API.
struct KeyTests {
    private let harness: AdminHarness
    private let key: ES256PrivateKey
    private var keys: KeyStore { harness.simulator.keys }

    init() throws {
        key = try ES256PrivateKey()
        harness = AdminHarness(keys: [
            .init(keyID: "MOCK000001", teamID: "MOCKTEAM01", key: key.publicKey, privateKey: key)
        ])
    }

    private func json(_ members: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
    }

    private func post(_ members: [String: Any]) throws -> AdminResponse {
        harness.send("/v1/keys", method: "POST", json: try json(members))
    }

    @Test func `the keys of the start are listed, without their private halves`() {
        let response = harness.send("/v1/keys")
        #expect(response.items.map { $0["keyId"] as? String } == ["MOCK000001"])
        #expect(response.items[0]["environments"] as? [String] == ["sandbox", "production"])
        #expect(response.items[0]["topics"] as? [String] == [])
        #expect(response.items[0]["hasPrivateKey"] as? Bool == true)
        #expect(!response.text.contains("PRIVATE KEY"))
        #expect(
            harness.send("/v1/keys", accept: "text/plain").text
                == "MOCK000001  MOCKTEAM01  sandbox,production  all topics\n")
    }

    @Test func `a new key comes with its private half, and its file later`() throws {
        let response = try post(["topics": ["com.acme.*"], "environments": ["sandbox"], "teamId": "ACMETEAM01"])
        #expect(response.status == 201)
        let id = response.string("keyId")
        #expect(id.hasPrefix("MOCK") && id.count == 10)
        let made = try ES256PrivateKey(pem: response.string("p8"))
        let registered = try #require(keys.key(id))
        #expect(registered.teamID == "ACMETEAM01")
        #expect(registered.topics == ["com.acme.*"])
        #expect(registered.environments == [.sandbox])
        #expect(registered.key.verifies(signature: try made.sign([1, 2]), of: [1, 2]))
        let file = harness.send("/v1/keys/\(id).p8")
        #expect(file.text == response.string("p8"))
        #expect(file.header("content-type") == "application/x-pem-file")
        #expect(!harness.send("/v1/keys/\(id)").text.contains("PRIVATE KEY"))
    }

    @Test func `an own key is imported, whole or by its public half`() throws {
        let own = try ES256PrivateKey()
        #expect(try post(["keyId": "OWNKEY0001", "p8": own.pem, "relatedKeyId": "OWNKEY0002"]).status == 201)
        #expect(try post(["keyId": "OWNKEY0002", "publicKey": own.publicKey.pem()]).status == 201)
        for id in ["OWNKEY0001", "OWNKEY0002"] {
            #expect(keys.key(id)?.key.verifies(signature: try own.sign([7]), of: [7]) == true)
        }
        #expect(keys.key("OWNKEY0001")?.relatedKeyID == "OWNKEY0002")
        let response = harness.send("/v1/keys/OWNKEY0002.p8")
        #expect(response.status == 404)
        #expect(response.string("detail").contains("public half"))
    }

    @Test func `a key is revoked, changed and forgotten, and a reset brings the first ones back`() throws {
        let response = harness.send(
            "/v1/keys/MOCK000001", method: "PATCH",
            json: #"{"revoked":true,"topics":["com.acme.app"],"environments":["production"],"teamId":"ACMETEAM01"}"#)
        #expect(response.object["revoked"] as? Bool == true)
        let changed = try #require(keys.key("MOCK000001"))
        #expect(changed.isRevoked && changed.teamID == "ACMETEAM01")
        #expect(changed.topics == ["com.acme.app"] && changed.environments == [.production])
        _ = harness.send("/v1/keys/MOCK000001", method: "PATCH", json: #"{"topics":[]}"#)
        #expect(keys.key("MOCK000001")?.isTeamScoped == true)
        #expect(harness.send("/v1/keys/MOCK000001", method: "DELETE").string("removed") == "MOCK000001")
        #expect(harness.send("/v1/keys").items.isEmpty)
        #expect(harness.send("/v1/keys/MOCK000001", method: "DELETE").status == 404)
        _ = harness.send("/v1/reset", method: "POST", json: #"{"keep":["keys"]}"#)
        #expect(harness.send("/v1/keys").items.isEmpty)
        _ = harness.send("/v1/reset", method: "POST")
        #expect(keys.all.map(\.keyID) == ["MOCK000001"])
        #expect(keys.key("MOCK000001")?.isRevoked == false)
    }

    @Test(
        arguments: [
            (#"{"keyId":"short"}"#, 400, "10 letters or digits"), (#"{"teamId":"MOCKTEAM0é"}"#, 400, "10 letters"),
            (#"{"p8":"x"}"#, 400, "cannot be read"), (#"{"p8":"x","publicKey":"y"}"#, 400, "one of them"),
            (#"{"environments":["staging"]}"#, 400, "staging"), (#"{"environments":[]}"#, 400, "empty"),
            (#"{"topics":[1]}"#, 400, "holds 1"), (#"{"topics":[""]}"#, 400, "expected one or more"),
            (#"{"topic":"x"}"#, 400, "not a member"), (#"{"keyId":"MOCK000001"}"#, 409, "taken"),
            (#"{"relatedKeyId":"x"}"#, 400, "10 letters"),
        ] as [(String, Int, String)])
    func `a key that cannot be is refused`(body: String, status: Int, words: String) {
        let response = harness.send("/v1/keys", method: "POST", json: body)
        #expect(response.status == status)
        #expect(response.string("detail").contains(words), "\(response.text)")
        #expect(keys.all.count == 1)
    }

    @Test func `an unknown key is 404 and the nearest is named`() {
        for (method, target) in [("GET", "MOCK000002.p8"), ("GET", "MOCK000002"), ("PATCH", "MOCK000002")] {
            let response = harness.send("/v1/keys/\(target)", method: method, json: method == "PATCH" ? "{}" : nil)
            #expect(response.status == 404)
            #expect(response.string("hint").contains("MOCK000001"))
        }
    }

    @Test func `the store takes so many keys and no more`() throws {
        let store = KeyStore((0..<KeyStore.limit).map { .init(keyID: "\($0)", teamID: "", key: key.publicKey) })
        #expect(!store.add(.init(keyID: "more", teamID: "", key: key.publicKey)))
        #expect(store.remove("0") != nil)
        #expect(store.add(.init(keyID: "more", teamID: "", key: key.publicKey)))
    }
}
