import Testing

@testable import APNs

struct LocalizedFormatTests {
    @Test(arguments: [
        ("Order %@ shipped", ["42"], "Order 42 shipped"), ("%2$@ before %1$@", ["a", "b"], "b before a"),
        ("100 %% of %d", ["7"], "100 % of 7"), ("%@ and %@", ["one"], "one and %@"), ("%.2f km", ["1.5"], "1.5 km"),
        ("%0$@ %9$@", ["x"], "%0$@ %9$@"), ("50 %", ["x"], "50 %"), ("5 % off %@", ["x"], "5 % off x"), ("", ["x"], ""),
        ("%lld", ["3"], "3"),
    ]) func `placeholders are filled in`(_ text: String, _ arguments: [String], _ result: String) {
        #expect(LocalizedFormat.filled(text, with: arguments) == result)
    }
}
