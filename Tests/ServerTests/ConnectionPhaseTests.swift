import Testing

@testable import Server

struct ConnectionPhaseTests {
    @Test func `the usual life`() {
        var phase = ConnectionPhase()
        phase.tlsBegins()
        phase.handshakeEnds()
        var action = phase.outputSent(isFinished: true)
        #expect(action == .nothing)
        action = phase.endRequested()
        #expect(action == .goAway)
        action = phase.endRequested()
        #expect(action == .nothing)
        action = phase.outputSent(isFinished: false)
        #expect(action == .nothing)
        action = phase.outputSent(isFinished: true)
        #expect(action == .linger)
        action = phase.peerLeft()
        #expect(action == .close)
        action = phase.peerLeft()
        #expect(action == .nothing)
        let name = phase.name
        #expect(name == .closed)
    }

    @Test func `an end before HTTP 2 closes at once`() {
        var phase = ConnectionPhase()
        phase.tlsBegins()
        let action = phase.endRequested()
        #expect(action == .close)
    }

    @Test func `a failed handshake lingers so that the alert is read`() {
        var phase = ConnectionPhase()
        phase.tlsBegins()
        let action = phase.peerFailed()
        #expect(action == .linger)
        let name = phase.name
        #expect(name == .lingering)
    }

    @Test func `broken HTTP 2 drains first`() {
        var phase = ConnectionPhase()
        phase.tlsBegins()
        phase.handshakeEnds()
        var action = phase.peerFailed()
        #expect(action == .nothing)
        action = phase.outputSent(isFinished: true)
        #expect(action == .linger)
    }

    @Test func `a gate lets so many a second through and tells how many it held`() {
        var gate = RateGate(perSecond: 2)
        #expect(gate.passes(at: 1000) == (true, 0))
        #expect(gate.passes(at: 1500) == (true, 0))
        #expect(gate.passes(at: 1999) == (false, 0))
        #expect(gate.passes(at: 1999) == (false, 0))
        #expect(gate.passes(at: 2000) == (true, 2))
        #expect(gate.passes(at: 2001) == (true, 0))
        #expect(gate.passes(at: 2002) == (false, 0))
    }
}
