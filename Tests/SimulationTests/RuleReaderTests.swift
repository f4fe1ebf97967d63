import APNs
import HTTP
import JSON
import Testing

@testable import Simulation

/// Rules as people write them.
struct RuleReaderTests {
    private func message(_ text: String) -> String {
        do {
            _ = try ScriptTests.rule(text)
            return "accepted"
        } catch let error as RuleError {
            return error.message + (error.suggestion.map { " (\($0)?)" } ?? "")
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("[]", "A rule is []; expected an object."),
        ("{}", "needs a \"then\""),
        (#"{"than": {}}"#, "than is no member of a rule"), (#"{"than": {}}"#, "(then?)"),
        (#"{"then": {}}"#, "then says nothing"),
        (#"{"then": {"accept": true, "reason": "Shutdown"}}"#, "accept and reason"),
        (#"{"then": {"accept": false}}"#, "then.accept is false; expected true"),
        (#"{"then": {"reason": "Unregisterd"}}"#, "(Unregistered?)"),
        (#"{"then": {"reason": "Shutdown", "code": "CANCEL"}}"#, "then.code means nothing beside reason"),
        (#"{"then": {"reason": "Shutdown", "status": 100}}"#, "from 200 to 599"),
        (#"{"then": {"reason": "Unregistered", "timestamp": "yesterday"}}"#, "then.timestamp is \"yesterday\""),
        (#"{"then": {"fault": "hangs"}}"#, "(hang?)"),
        (#"{"then": {"fault": "hang", "code": 1}}"#, "means nothing beside fault"),
        (#"{"then": {"fault": "reset-stream", "code": "REFUSED"}}"#, "one of NO_ERROR"),
        (#"{"then": {"fault": "goaway", "lastStream": "some"}}"#, "one of all, none, this-1"),
        (#"{"then": {"fault": "tls-alert:expired"}}"#, "no alert of TLS"),
        (#"{"then": {"fault": "drop-after"}}"#, "then.requests is missing"),
        (#"{"then": {"settings": {"maxConcurrentStreams": -1}}}"#, "from 0 to 1000000"),
        (#"{"then": {"response": {"body": "x"}}}"#, "then.response.status is missing"),
        (#"{"then": {"response": {"status": 200, "headers": {"X": "y"}}}}"#, "names in lower case"),
        (#"{"then": {"response": {"status": 200, "headers": {"x": "a\nb"}}}}"#, "without control characters"),
        (#"{"then": {"delay": "soon"}}"#, "a duration such as"),
        (#"{"then": {"delay": "11m"}}"#, "at most 600000 ms"),
        (#"{"then": {"delay": {"uniform": ["2s", "1s"]}}}"#, "the shorter first"),
        (#"{"then": {"delay": {"lognormal": {"median": "1s", "sigma": 11}}}}"#, "from 0 to 10"),
        (#"{"then": {"sequence": []}}"#, "1 to 1000 outcomes"),
        (#"{"then": {"sequence": [{"accept": true}], "atEnd": "stop"}}"#, "one of pass, last, cycle"),
        (#"{"then": {"sequence": [{"accept": 1}]}}"#, "then.sequence[0].accept is 1"),
        (#"{"then": {"accept": true}, "id": "a b"}"#, "letters, digits"),
        (#"{"then": {"accept": true}, "priority": 1.5}"#, "a whole number"),
        (#"{"then": {"accept": true}, "when": {"per": "phone"}}"#, "one of all, device"),
        (#"{"then": {"accept": true}, "when": {"probability": 2}}"#, "a number from 0 to 1"),
        (#"{"then": {"accept": true}, "when": {"times": 0}}"#, "from 1 to"),
        (#"{"then": {"accept": true}, "when": {"between": ["1m"]}}"#, "two times"),
        (#"{"then": {"accept": true}, "match": {"devise": "x"}}"#, "(device?)"),
        (#"{"then": {"fault": "refuse-connect"}, "stage": "afterValidation"}"#, "it needs connection"),
        (#"{"then": {"reason": "Shutdown"}, "stage": "connection"}"#, "A connection can only meet a fault"),
        (
            #"{"then": {"fault": "close"}, "stage": "connection", "when": {"per": "device"}}"#,
            "A connection has no device"
        ),
        (
            #"{"stage": "connection", "then": {"sequence": [{"fault": "close"}, {"fault": "refuse-connect"}]}}"#,
            "use two rules"
        ),
        (#"{"then": {"reason": "Shutdown"}, "continue": true}"#, "Only a rule that delays"),
    ])
    func `what cannot be understood is refused with its place and the fix`(text: String, words: String) {
        #expect(message(text).contains(words), "\(message(text))")
    }

    @Test(arguments: FaultKind.allCases)
    func `every fault can be written, in its own stage`(kind: FaultKind) throws {
        let extra =
            switch kind {
            case .settings: #", "maxConcurrentStreams": 1"#
            case .dropAfter: #", "requests": 1"#
            default: ""
            }
        let rule = try ScriptTests.rule(#"{"then": {"fault": "\#(kind.rawValue)"\#(extra)}}"#)
        guard case .fault(let fault, _)? = rule.steps.first?.outcome else { return #expect(Bool(false)) }
        #expect(fault.kind == kind)
        #expect(rule.stage == kind.stages.first)
        #expect(!kind.summary.description.isEmpty)
    }

    @Test func `the short forms of faults`() throws {
        func fault(_ then: String) throws -> RuleFault? {
            guard case .fault(let fault, _)? = try ScriptTests.rule(#"{"then": \#(then)}"#).steps.first?.outcome else {
                return nil
            }
            return fault
        }
        #expect(try fault(#"{"fault": "tls-alert:certificate_expired"}"#) == .tlsAlert(45))
        #expect(try fault(#"{"settings": {"maxConcurrentStreams": 1}}"#) == .settings(maxConcurrentStreams: 1))
        #expect(try fault(#"{"drop-after": {"requests": 100}}"#) == .dropAfter(requests: 100))
        #expect(try fault(#"{"fault": "reset-stream", "code": 8}"#) == .resetStream(.cancel))
        #expect(
            try fault(
                #"{"fault": "goaway", "code": "enhance_your_calm", "reason": "Shutdown", "lastStream": "this-1"}"#)
                == .goAway(.enhanceYourCalm, reason: "Shutdown", lastStream: .beforeThis, linger: .none))
        #expect(
            String(
                decoding: RuleFault.goAway(.noError, reason: "Shut\"down", lastStream: .all, linger: .none).debugData,
                as: UTF8.self)
                == #"{"reason":"Shut\"down"}"#)
    }

    @Test func `what a rule writes can be read again`() throws {
        let texts = [
            #"{"id": "r", "match": {"topic": "com.*", "not": {"aps.badge": 1}}, "when": {"per": "device", "times": 2}, "#
                + #""then": {"reason": "Unregistered", "timestamp": "-1h"}, "priority": 3, "ttl": "10m", "note": "é\n"}"#,
            #"{"id": "r", "then": {"sequence": [{"accept": true}, {"fault": "hang"}], "atEnd": "cycle"}}"#,
            #"{"id": "r", "then": {"delay": {"uniform": [1, 2]}, "continue": true}}"#,
            #"{"id": "r", "then": {"fault": "refuse-connect"}}"#,
        ]
        for text in texts {
            let rule = try ScriptTests.rule(text)
            var writer = JSONWriter()
            RuleWriter.write(rule, to: &writer)
            let again = try ScriptTests.rule(String(decoding: writer.bytes, as: UTF8.self))
            var second = JSONWriter()
            RuleWriter.write(again, to: &second)
            #expect(second.bytes == writer.bytes)
            #expect(again.stage == rule.stage && again.scope == rule.scope && again.steps.count == rule.steps.count)
            #expect(again.lifetime == rule.lifetime && again.continues == rule.continues)
        }
    }

    @Test func `with a probability each device has its own draws, unless the rule says otherwise`() throws {
        #expect(try ScriptTests.rule(#"{"when": {"probability": 0.1}, "then": {"accept": true}}"#).scope == .device)
        #expect(try ScriptTests.rule(#"{"when": {"probability": 1}, "then": {"accept": true}}"#).scope == .all)
        #expect(
            try ScriptTests.rule(#"{"when": {"probability": 0.1, "per": "all"}, "then": {"accept": true}}"#).scope
                == .all)
    }

    @Test func `fail-next is a rule`() throws {
        var document = JSONDocument()
        _ = document.parse(
            Array(
                #"{"reason": "TooManyRequests", "times": 2, "device": "6f*", "delay": "1.5s", "match": {"topic": "a"}}"#
                    .utf8))
        let rule = try FailNext.rule(document, document.root, id: "n", now: 0)
        #expect(rule.times == 2)
        #expect(rule.priority == FailNext.priority)
        #expect(rule.matcher.description.map(\.field) == ["device", "topic"])
        #expect(rule.steps.first?.delay == .fixed(1500))
        _ = document.parse(Array(#"{"fault": "stall-writes"}"#.utf8))
        #expect(try FailNext.rule(document, document.root, id: "n", now: 0).stage == .afterValidation)
        _ = document.parse(Array(#"{"fault": "refuse-connect"}"#.utf8))
        #expect(try FailNext.rule(document, document.root, id: "n", now: 0).stage == .connection)
    }
}
