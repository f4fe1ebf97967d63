import Foundation
import Simulation
import Testing

@testable import Admin

/// The server's clock through the API.
struct ClockTests {
    private let harness = AdminHarness()
    private var clock: ServerClock { harness.simulator.clock }

    private func put(_ body: String) -> AdminResponse { harness.send("/v1/clock", method: "PUT", json: body) }
    private func post(_ body: String) -> AdminResponse { harness.send("/v1/clock", method: "POST", json: body) }

    @Test func `a clock that nobody set shows the machine's time`() {
        let response = harness.send("/v1/clock")
        #expect(response.string("mode") == "real")
        #expect(response.number("offsetMs") == 0)
        #expect(response.string("now").hasSuffix("Z"))
    }

    @Test func `a frozen clock stands still and can be moved on`() {
        let response = put(#"{"freeze": "2026-01-01T00:00:00Z"}"#)
        #expect(response.string("now") == "2026-01-01T00:00:00.000Z")
        #expect(response.string("mode") == "frozen")
        #expect(harness.send("/v1/clock").string("now") == "2026-01-01T00:00:00.000Z")
        #expect(post(#"{"advance": "61m"}"#).string("now") == "2026-01-01T01:01:00.000Z")
        #expect(post(#"{"advance": "-60s"}"#).string("now") == "2026-01-01T01:00:00.000Z")
        #expect(post(#"{"advance": 250}"#).string("now") == "2026-01-01T01:00:00.250Z")
        #expect(clock.mode == .frozen)
        #expect(harness.send("/v1/clock", accept: "text/plain").text == "2026-01-01T01:00:00.250Z frozen\n")
    }

    @Test func `freezing now takes the time that the clock shows`() {
        _ = put(#"{"freeze": "2026-01-01T00:00:00Z"}"#)
        _ = post(#"{"advance": "1s"}"#)
        #expect(put(#"{"freeze": "now"}"#).string("now") == "2026-01-01T00:00:01.000Z")
    }

    @Test func `an offset runs beside the machine's clock`() {
        #expect(put(#"{"offset": "-2h"}"#).number("offsetMs") == -7_200_000)
        #expect(clock.mode == .offset)
        #expect(post(#"{"advance": "3h"}"#).number("offsetMs") == 3_600_000)
        #expect(put(#"{"mode": "real"}"#).number("offsetMs") == 0)
        #expect(clock.mode == .real)
    }

    @Test(
        arguments: [
            ("PUT", "{}", "0 members"), ("PUT", #"{"freeze":"now","mode":"real"}"#, "2 members"),
            ("PUT", #"{"freeze":"yesterday"}"#, "yesterday"), ("PUT", #"{"freeze":"1969-12-31T23:59:59Z"}"#, "1969"),
            ("PUT", #"{"freeze":1}"#, "holds 1"), ("PUT", #"{"freeze":null}"#, "null"),
            ("PUT", #"{"offset":"2 hours"}"#, "2 hours"), ("PUT", #"{"offset":"-90000d"}"#, "-90000d"),
            ("PUT", #"{"mode":"frozen"}"#, "frozen"), ("POST", "{}", "advance"), ("POST", #"{"advance":true}"#, "true"),
            ("POST", #"{"advance":"-36525d"}"#, "1970 to 9999"), ("POST", #"{"advance":1.5}"#, "1.5"),
        ] as [(String, String, String)])
    func `what is not understood changes nothing`(method: String, body: String, words: String) {
        let response = harness.send("/v1/clock", method: method, json: body)
        #expect(response.status == 400)
        #expect(response.string("detail").contains(words), "\(response.text)")
        #expect(clock.mode == .real)
    }

    @Test(
        arguments: [
            ("real", .real), ("+0s", .real), ("+2h", .offset(7_200_000)), ("-30m", .offset(-1_800_000)),
            ("2026-01-01T00:00:00Z", .frozen(1_767_225_600_000)), ("2h", nil), ("", nil), ("+", nil), ("-x", nil),
            ("10000-01-01T00:00:00Z", nil),
        ] as [(String, ClockSetting?)])
    func `a setting is read as people write it`(text: String, expected: ClockSetting?) {
        #expect(ClockSetting(text) == expected)
    }

    @Test func `a clock that was set at start is put back there`() {
        let clock = ServerClock(.frozen(1000))
        clock.advance(by: 500)
        #expect(clock.now().server == 1500)
        clock.set(.real)
        clock.reset()
        #expect(clock.now().server == 1000)
    }
}
