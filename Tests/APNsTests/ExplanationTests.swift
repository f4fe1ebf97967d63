import APNs
import Testing

struct ExplanationTests {
    @Test(
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min 00 s"), (3664, "61 min 04 s"), (6000, "1 h 40 min"),
            (-90, "1 min 30 s"),
            (172_799, "47 h 59 min"), (172_800, "2 d 00 h"), (1_000_000, "11 d 13 h"), (.min, "106751991167300 d 15 h"),
        ] as [(Int64, String)])
    func `durations read well`(_ seconds: Int64, _ text: String) {
        #expect(Explanation.duration(seconds: seconds) == text)
    }

    @Test(
        arguments: [
            (1_768_469_400, "09:30:00Z"), (0, "00:00:00Z"), (86_399, "23:59:59Z"), (86_400, "00:00:00Z"),
            (-1, "23:59:59Z"), (.max, "15:30:07Z"),
        ] as [(Int64, String)])
    func `times of day are UTC`(_ seconds: Int64, _ text: String) {
        #expect(Explanation.timeOfDay(seconds: seconds) == text)
    }
}
