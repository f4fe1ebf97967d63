import HTTP
import Testing

@Suite struct FastRandomTests {
    @Test func `the numbers are those of xoshiro256**`() {
        var random = FastRandom(state: (1, 2, 3, 4))
        #expect((0..<4).map { _ in random.next() } == [11520, 0, 1_509_978_240, 1_215_971_899_390_074_240])
    }

    @Test func `the same seed gives the same numbers and another seed others`() {
        var (one, same, other) = (FastRandom(seed: 42), FastRandom(seed: 42), FastRandom(seed: 43))
        let numbers = (0..<8).map { _ in one.next() }
        #expect(numbers == (0..<8).map { _ in same.next() })
        #expect(numbers != (0..<8).map { _ in other.next() })
    }

    @Test func `two generators of the system differ`() {
        var (one, two) = (FastRandom(), FastRandom())
        #expect((0..<4).map { _ in one.next() } != (0..<4).map { _ in two.next() })
    }
}
