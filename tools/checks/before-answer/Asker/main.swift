import EventLog
import Foundation
import Tracking
import TrackingCore

// A program that is traced by `tools/checks/before-answer/run`: sends events under a policy that stores nothing before the answer.
//   before-answer-asker FOLDER URL CASE
// Writes "ask" to standard error before the person is asked, and "answered" once the answer is stored.

struct Seen: TrackingEvent {
    static let name = "seen"
    let number: Int
}

struct NeverValid: SignatureVerifier {
    func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool { false }
}

func write(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

let (folder, url, name) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])
let tracker = Tracker.start(
    .http(url, key: "wk_before_answer_check_0000"),
    configuration: TrackingConfiguration(folder: folder, consent: .required(before: .memory)) {
        $0.unplanned = .allowed
        $0.flushPolicy = FlushPolicy(eventCount: 1, interval: .milliseconds(20))
        $0.switches = .fetched(publicKeys: [Data(count: 32).base64EncodedString()], verifier: NeverValid())
    }, diagnostics: { write("\($0)") })
for number in 1...100 { tracker.send(Seen(number: number)) }
tracker.identify("ada")
tracker.send(Seen(number: 101))
// After a denial, a sign-out is stored: the next person has not answered.
if name != "denied-before" { tracker.reset() }
tracker.send(Seen(number: 102))
await tracker.flush()
do {
    try await tracker.opened()
} catch let error as EventLogError where error.code == .consentUnknown {
    write("ask")
}
switch name {
case "unanswered", "denied-before": break
case "denied": try await tracker.setConsent(.denied)
case "granted": try await tracker.setConsent(.granted)
default: fatalError("not a case: \(name)")
}
write("answered")
tracker.send(Seen(number: 103))
await tracker.flush()
try await tracker.close()
