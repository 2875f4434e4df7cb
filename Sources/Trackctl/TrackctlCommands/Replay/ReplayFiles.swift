internal import CommandSupport
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles
internal import LogReplay
internal import Primitives
internal import TextRendering

/// The files that a replay reads and writes. Each of them has one part only.
struct ReplayFiles {
    /// Files, or `-` for standard input.
    let inputs: [String]
    let destination: ReplayDestination
    /// Where the place is kept.
    let state: String?
    /// Where refused events go.
    let deadLetters: String?

    /// - Throws: ``CommandFailure``, `usage`, if one of them has two parts.
    func check() throws {
        if let deadLetters, inputs.contains(where: { Self.isInput($0, deadLetters) }) {
            throw CommandFailure(
                .usage, "\(deadLetters) cannot be read and added to at once: name another file in --on-error")
        }
        guard let state else { return }
        if inputs.contains(where: { Self.isInput($0, state) }) {
            throw CommandFailure(.usage, "\(state) is one of the inputs: name another file in --resume")
        }
        if let target, FileIdentity.isSame(target, state) {
            throw CommandFailure(.usage, "\(state) is the target: name another file in --resume")
        }
        if let deadLetters, FileIdentity.isSame(deadLetters, state) {
            throw CommandFailure(.usage, "\(state) is for refused events: name another file in --resume")
        }
    }

    private var target: String? {
        switch destination {
        case .database(let path), .newLinesFile(let path): path
        case .standardOutput, .endpoint, .collector, .nothing: nil
        }
    }

    /// Whether an input comes from this file.
    private static func isInput(_ input: String, _ path: String) -> Bool {
        guard input == "-" else { return FileIdentity.isSame(input, path) }
        guard let file = FileIdentity(descriptor: StandardStreams.current.input), file.isRegularFile else {
            return false
        }
        return FileIdentity(path: path) == file
    }
}

/// What decides which events are sent, in which batches and how they are changed: a run that goes on must have been
/// asked for the same.
struct ReplayFingerprint {
    let command: ReplayCommand
    let destination: ReplayDestination
    let plan: ReplayPlan

    /// The options by name, as messages show them.
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

    /// What may tell of a person is known again, and not kept.
    private static func digest(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : StateFile.digestMark + SHA256.hexadecimal(Array(texts.joined(separator: "\n").utf8))
    }

    /// A time that means another one later is known by its text: a run that goes on means what the first one did.
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
