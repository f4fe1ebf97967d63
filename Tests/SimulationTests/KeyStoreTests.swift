import Simulation
import TLS
import Testing

struct KeyStoreTests {
    @Test func `keys come and go, and each change is noticed`() throws {
        let key = try ES256PrivateKey().publicKey
        let store = KeyStore([
            KeyStore.Key(keyID: "B", teamID: "T", key: key), KeyStore.Key(keyID: "A", teamID: "T", key: key),
            KeyStore.Key(keyID: "A", teamID: "U", key: key),
        ])
        #expect(store.all.map(\.keyID) == ["A", "B"])
        #expect(store.key("A")?.teamID == "U", "the later one counts")
        #expect(store.key("C") == nil)
        let start = store.generation
        store.set(KeyStore.Key(keyID: "C", teamID: "T", key: key, topics: ["com.example.*"]))
        #expect(store.key("C")?.isTeamScoped == false)
        #expect(store.key("A")?.isTeamScoped == true)
        let later = store.generation
        #expect(later != start)
        #expect(store.remove("B")?.keyID == "B")
        #expect(store.remove("B") == nil)
        #expect(store.generation != later)
        store.reset()
        #expect(store.all.map(\.keyID) == ["A", "B"])
    }
}
