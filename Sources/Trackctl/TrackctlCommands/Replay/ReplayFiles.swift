internal import CommandSupport
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles
internal import LogReplay
internal import Primitives
internal import TextRendering

/// The files of a replay. No file may have two roles.
struct ReplayFiles {
    /// Files, or `-` for standard input.
    let inputs: [String]
    let destination: ReplayDestination
    /// The file that keeps the position.
    let state: String?
    /// The file for rejected events.
    let deadLetters: String?

    /// - Throws: ``CommandFailure``, `usage`, if a file has two roles.
    func check() throws {
        if let deadLetters, inputs.contains(where: { Self.isInput($0, deadLetters) }) {
            throw CommandFailure(
                .usage, "\(deadLetters) is one of the inputs: choose another file for --on-error")
        }
        guard let state else { return }
        if inputs.contains(where: { Self.isInput($0, state) }) {
            throw CommandFailure(.usage, "\(state) is one of the inputs: choose another file for --resume")
        }
        if let target, FileIdentity.isSame(target, state) {
            throw CommandFailure(.usage, "\(state) is the target: choose another file for --resume")
        }
        if let deadLetters, FileIdentity.isSame(deadLetters, state) {
            throw CommandFailure(.usage, "\(state) is the file for rejected events: choose another file for --resume")
        }
    }

    private var target: String? {
        switch destination {
        case .database(let path), .newLinesFile(let path): path
        case .standardOutput, .endpoint, .collector, .nothing: nil
        }
    }

    /// Whether a file is an input, or is redirected to standard input.
    private static func isInput(_ input: String, _ path: String) -> Bool {
        guard input == "-" else { return FileIdentity.isSame(input, path) }
        guard let file = FileIdentity(descriptor: StandardStreams.current.input), file.isRegularFile else {
            return false
        }
        return FileIdentity(path: path) == file
    }
}

/// The options that determine which events are sent, in which batches and with which changes. A resumed run must have
/// the same options.
struct ReplayFingerprint {
    let command: ReplayCommand
    let destination: ReplayDestination
    let plan: ReplayPlan

    /// The options by name, as shown in messages.
    func options(_ request: EventRequest) -> [String: String] {
        var options = [
            "the inputs": request.paths.joined(separator: " "),
            "--to": destination.stateName,
            "--lanes": "\(plan.lanes)",
            "--batch-events": "\(plan.limits.events)",
            "--batch-bytes": "\(plan.limits.bytes)",
            "--linger": plan.limits.linger.short,
            "the pace": Self.text(plan.pace),
            "--loop": plan.passes.map { "\($0)" } ?? "forever",
            "--time": command.rewriting.time.text,
            "the ids": plan.rewriting.hasNewIDs ? "--new-ids" : "--keep-ids",
        ]
        let selection = request.selection
        options["--set"] = Self.digest(plan.rewriting.settings.map(\.description))
        options["--event"] = Self.list(selection.names.map(\.source))
        options["--user"] = Self.digest(selection.users.map(\.source))
        options["--session"] = Self.digest(selection.sessions.map(\.source))
        options["--id"] = Self.digest(selection.ids.map(\.source))
        options["--where"] = Self.digest(selection.conditions.map(\.source))
        options["--since"] = Self.text(command.selection.since, selection.since)
        options["--until"] = Self.text(command.selection.until, selection.until)
        options["--sample"] = command.selection.sample.map { "\($0) by \(command.selection.sampleKey)" }
        options["--strict"] = request.isStrict ? "given" : nil
        options["--last"] = request.last.map { "\($0)" }
        options["--limit"] = request.limit.map { "\($0)" }
        options["--after-cursor"] = selection.after.flatMap { Self.digest(["\($0)"]) }
        options["--from-dlq"] = request.holdsDeadLetters ? "given" : nil
        options["--dlq"] = request.readsDeadLetters ? "given" : nil
        return options
    }

    /// The digest of options that may identify a person. The state file does not store their text.
    private static func digest(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : StateFile.digestMark + SHA256.hexadecimal(Array(texts.joined(separator: "\n").utf8))
    }

    /// A relative time is compared by its text: a resumed run uses the time of the first run.
    private static func text(_ asked: TimeExpression?, _ time: EventTime?) -> String? {
        asked?.isRelative == true ? asked?.source : time?.rfc3339
    }

    private static func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: " and ") }

    private static func text(_ pace: ReplayPace) -> String {
        switch pace {
        case .unpaced: "--speed max"
        case .rate(let rate): "--rate \(rate)/s"
        case .log(let speed, let pause): "--speed \(speed)x" + (pause.map { " --max-gap \($0.short)" } ?? "")
        }
    }
}
