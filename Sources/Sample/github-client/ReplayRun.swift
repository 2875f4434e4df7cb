import CommandSupport
import Foundation
import GitHubClient
import JSONLines
import LogFiles
import TextRendering
import TrackingCore
import TrackingReplay

/// Replays a recorded session and prints the result.
struct ReplayRun {
    let path: String
    let until: Int64?
    let isJSON: Bool

    /// - Throws: ``/TrackingCore/RecordingError``; ``CommandFailure``: `findings` after a difference was printed, `usage` for an
    ///   index past the recording's end, `inputOutput`.
    func run() throws {
        let outcome = try HeadlessApp.replay(of: path).run(until: until)
        if let until, outcome.verdict == .equal, outcome.lastIndex < until { throw pastTheEnd(outcome, until) }
        let report = ReplayReport(outcome: outcome, path: path)
        var bytes = isJSON ? report.json : report.text
        if StandardStreams.current.isOutputTerminal {
            bytes = Array(TerminalText.shown(String(decoding: bytes, as: UTF8.self)).utf8)
        }
        try bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: STDOUT_FILENO, name: "standard output") }
        if case .diverged(let divergence) = outcome.verdict {
            throw CommandFailure(
                .findings, "the replay differs from \(path) at entry \(divergence.index)\(otherSDK(outcome))"
            )
        }
    }

    private func pastTheEnd(_ outcome: ReplayOutcome, _ until: Int64) -> CommandFailure {
        let count = outcome.lastIndex
        let hint = count == 0 ? "record a session first" : "pass --until 1 to \(count)"
        return CommandFailure(
            .usage, "no entry \(until): \(path) has \(count) \(count == 1 ? "entry" : "entries"); \(hint)")
    }

    /// A possible reason for a difference: entries name the SDK that recorded them.
    private func otherSDK(_ outcome: ReplayOutcome) -> String {
        guard outcome.recordedSDK != TrackingContext.sdk else { return "" }
        return "; it was recorded with another SDK than this program's \(TrackingContext.sdk)"
    }
}

/// The result of a replay, as text or JSON.
struct ReplayReport {
    let outcome: ReplayOutcome
    let path: String

    /// The result in a sentence, the difference if there is one, and the members of each store.
    var text: [UInt8] {
        var text = Array("\(verdict)\n".utf8)
        if case .diverged(let divergence) = outcome.verdict {
            text += line("  recorded  ", divergence.expected ?? Array("nothing".utf8))
            text += line("  replayed  ", divergence.actual ?? Array("nothing".utf8))
        }
        for app in outcome.apps {
            text += Array("\nenvironment \(app.environment)".utf8)
            text += app.user.map { Array(", user ".utf8) + Self.printable(Array($0.utf8)) } ?? []
            text += Array("\n".utf8)
            for store in app.stores { text += lines(of: store) }
        }
        return text
    }

    private var verdict: String {
        switch outcome.verdict {
        case .equal: "\(path): all \(outcome.lastIndex) entries are equal\(ending)"
        case .stopped: "\(path): stopped after entry \(outcome.lastIndex); all up to it are equal"
        case .diverged(let divergence): "\(path): entry \(divergence.index) differs: \(divergence.reason.rawValue)"
        }
    }

    private var ending: String {
        switch outcome.ending {
        case .full?: "; the recording ends at its size limit"
        case .notEncodable?: "; the recording ends at a value that cannot be encoded"
        case .cutShort?: "; the recording is truncated"
        case .closed?, nil: ""
        }
    }

    private func lines(of store: ReplayedStore) -> [UInt8] {
        let json = store.json ?? Array("null".utf8)
        let start = line("  \(store.name)", [])
        // Only objects have members.
        guard let members = try? JSONParser.parseWithMembers(json).members, !members.isEmpty else {
            return start + line("    ", json)
        }
        return start + members.flatMap { line("    \($0.name)  ", Array(json[$0.range])) }
    }

    private func line(_ start: String, _ json: [UInt8]) -> [UInt8] {
        Self.printable(Array(start.utf8) + json) + [UInt8(ascii: "\n")]
    }

    /// Escapes characters that would move a terminal's cursor or change its writing direction, as JSON does.
    private static func printable(_ text: [UInt8]) -> [UInt8] {
        Array(String(decoding: text, as: UTF8.self).unicodeScalars.map(shown).joined().utf8)
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar.jsonEscape
        default: String(scalar)
        }
    }

    /// The result as one line of JSON.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("verdict")
        switch outcome.verdict {
        case .equal: json.string("equal")
        case .stopped: json.string("stopped")
        case .diverged: json.string("diverged")
        }
        json.key("last_index")
        json.integer(outcome.lastIndex)
        if let ending = outcome.ending {
            json.key("ending")
            json.string(ending.rawValue)
        }
        if case .diverged(let divergence) = outcome.verdict { write(divergence, to: &json) }
        json.key("environments")
        json.beginArray()
        for app in outcome.apps { write(app, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private func write(_ divergence: ReplayDivergence, to json: inout JSONWriter) {
        json.key("divergence")
        json.beginObject()
        json.key("index")
        json.integer(divergence.index)
        json.key("reason")
        json.string(divergence.reason.rawValue)
        json.key("recorded")
        json.value(divergence.expected ?? Array("null".utf8))
        json.key("replayed")
        json.value(divergence.actual ?? Array("null".utf8))
        json.endObject()
    }

    private func write(_ app: ReplayedStores, to json: inout JSONWriter) {
        json.beginObject()
        json.key("environment")
        json.integer(app.environment)
        if let user = app.user {
            json.key("user")
            json.string(user)
        }
        json.key("stores")
        json.beginObject()
        for store in app.stores {
            json.key(store.name)
            json.value(store.json ?? Array("null".utf8))
        }
        json.endObject()
        json.endObject()
    }
}
