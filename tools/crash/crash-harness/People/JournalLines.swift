import CrashSupport
import Foundation

/// A change of the identity or of consent.
enum PersonChange: Hashable, Sendable {
    case answer(isGranted: Bool)
    case identify(String)
    case reset

    init?(_ words: some Collection<Substring>) {
        switch words.first {
        case "granted"?: self = .answer(isGranted: true)
        case "denied"?: self = .answer(isGranted: false)
        case "reset"?: self = .reset
        case "identify"?: self = .identify(words.dropFirst().first.map(String.init) ?? "")
        default: return nil
        }
    }

    var identifiesUser: Bool { if case .identify = self { true } else { false } }

    var changesIdentity: Bool {
        switch self {
        case .answer: false
        case .identify, .reset: true
        }
    }
}

/// A call that changes identity or consent.
struct PersonCall: Sendable {
    let run: Int
    let change: PersonChange
    let begin: UInt64
    /// When it was in effect for certain; for an interrupted call, when its process had ended.
    var end: UInt64
    /// When it returned; for an interrupted call, when its process had ended.
    var returned: UInt64
    /// Whether the process may have ended before the call was in effect.
    var isInDoubt: Bool
}

/// An event that was sent.
struct SentMarker: Sendable {
    /// What `send` returned.
    enum Outcome: Equatable {
        case interrupted, dropped, pending, numbered
    }

    let marker: Marker
    let begin: UInt64
    /// When `send` had returned; for an interrupted call, when its process had ended.
    var end: UInt64
    /// When it had its number; for an interrupted call, and for an event without a number, when its process had ended.
    var numbered: UInt64
    var outcome = Outcome.interrupted
    var seq: Int64?
}

/// The consent that a process stated when its log was open.
struct StatedConsent: Sendable {
    let time: UInt64
    let value: String
    let isAnswered: Bool
}

/// The journal of a process that has ended.
struct JournalLines: Sendable {
    let run: Int
    private(set) var calls: [PersonCall] = []
    private(set) var events: [Marker: SentMarker] = [:]
    private(set) var statement: StatedConsent?
    private(set) var diagnostics: [String] = []
    /// How many events of a burst were accepted, and how many of them were pending.
    private(set) var burst: (accepted: Int, pending: Int)?
    private(set) var isClosed = false

    /// - Parameter end: When the process had ended.
    init(_ path: String, run: Int, end: UInt64) throws {
        self.run = run
        let reader = try LinesOfFile(path)
        var pending: [Int] = []
        while let (line, _) = reader.next() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count > 1, let time = UInt64(words[0]) else { throw HarnessError("\(path): a damaged line") }
            let rest = words.dropFirst(2)
            let marker = rest.first.flatMap { Marker($0) }
            switch (words[1], marker) {
            case ("opened", _):
                if statement == nil {
                    settle(&pending, at: time)
                    statement = StatedConsent(time: time, value: String(words[2]), isAnswered: words[3] == "answered")
                }
            case ("call", _):
                guard let change = PersonChange(rest) else { throw HarnessError("\(path): an unknown call") }
                calls.append(
                    PersonCall(run: run, change: change, begin: time, end: end, returned: end, isInDoubt: true))
            case ("returned", _):
                calls[calls.count - 1].returned = time
                pending.append(calls.count - 1)
                // Until the log is open, changes of the identity are held. An answer returns when it is stored, after
                // the calls before it.
                guard statement != nil || !calls[calls.count - 1].change.changesIdentity else { break }
                settle(&pending, at: time)
            case ("send", let marker?):
                events[marker] = SentMarker(marker: marker, begin: time, end: end, numbered: end)
            case ("dropped", let marker?):
                events[marker]?.outcome = .dropped
                events[marker]?.end = time
            case ("sent", let marker?):
                let seq = rest.dropFirst().first.flatMap { Int64($0) }
                events[marker]?.outcome = seq == nil ? .pending : .numbered
                events[marker]?.end = time
                if let seq { events[marker]?.seq = seq }
            case ("numbered", let marker?):
                events[marker]?.seq = rest.dropFirst().first.flatMap { Int64($0) }
                events[marker]?.numbered = time
            case ("diagnostic", _): diagnostics.append(rest.joined(separator: " "))
            case ("accepted", _): burst = (Int(words[2]) ?? 0, Int(words[3]) ?? 0)
            case ("closed", _): isClosed = true
            default: throw HarnessError("\(path): an unknown line")
            }
        }
    }

    /// Calls were in effect at a time.
    private mutating func settle(_ indices: inout [Int], at time: UInt64) {
        for index in indices { (calls[index].end, calls[index].isInDoubt) = (time, false) }
        indices = []
    }
}
