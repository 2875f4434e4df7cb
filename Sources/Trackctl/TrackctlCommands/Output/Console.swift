internal import CommandSupport
internal import Foundation
internal import LogFiles
internal import TextRendering

/// Writes messages to standard error, and the progress of long runs if standard error is a terminal.
final class Console {
    private static let timeBetweenUpdates = Duration.milliseconds(200)
    /// How many similar messages are shown.
    static let shownRepeats = 10

    let showsProgress: Bool
    /// The total number of bytes; nil if unknown.
    var expectedBytes: Int?
    private var bytes = 0
    /// The verb of the progress text: read or written.
    private let verb: String
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastUpdate: ContinuousClock.Instant
    private var isShown = false
    private var repeated = RepeatedMessages(shown: Console.shownRepeats)

    /// - Parameter sharesTerminal: Whether events go to standard output. If that is a terminal, too, progress is not
    ///   shown, so that it does not mix with them.
    init(sharesTerminal: Bool = false, verb: String = "read") {
        self.verb = verb
        let streams = StandardStreams.current
        showsProgress = streams.isErrorTerminal && !(sharesTerminal && streams.isOutputTerminal)
        start = clock.now
        lastUpdate = start
    }

    /// Writes `trackctl: message`.
    static func complain(_ message: String) { StandardError.say("trackctl: \(message)") }

    /// Writes `trackctl: message` in place of the progress.
    func complain(_ message: String) { say("trackctl: \(message)") }

    /// Writes a line in place of the progress.
    func say(_ line: String) {
        clearProgress()
        StandardError.say(line)
    }

    /// Writes a line as ``say(_:)``, unless many similar lines were written before; see ``sayRest()``.
    func sayFolded(_ line: String) {
        if repeated.admits(line) { say(line) }
    }

    /// Reports how many lines were folded, and resets the counts.
    func sayRest() {
        for line in repeated.takeRest() { say(line) }
    }

    /// Counts bytes read or written.
    func count(bytes: Int) {
        self.bytes += bytes
        guard showsProgress else { return }
        let now = clock.now
        guard now - lastUpdate >= Self.timeBetweenUpdates else { return }
        lastUpdate = now
        isShown = true
        Self.write("\r\u{1B}[K\(progress(after: (now - start) / .seconds(1)))")
    }

    /// `512 MiB \(verb), 850 MiB/s, 60 %, 1 s left`.
    private func progress(after seconds: Double) -> String {
        let rate = Double(bytes) / seconds
        var text = "\((bytes >> 20).grouped) MiB \(verb), \(Int(rate / 1_048_576).grouped) MiB/s"
        if let expectedBytes, expectedBytes > bytes {
            text += ", \(bytes * 100 / expectedBytes) %, \(Self.time(Double(expectedBytes - bytes) / rate)) left"
        }
        return text
    }

    private static func time(_ seconds: Double) -> String {
        let seconds = Int(min(seconds, 359_999).rounded(.up))
        if seconds < 60 { return "\(seconds) s" }
        return seconds < 3600 ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }

    /// Clears the progress from the terminal.
    func clearProgress() {
        if isShown { Self.write("\r\u{1B}[K") }
        isShown = false
    }

    private static func write(_ text: String) { StandardError.write(text) }
}

/// Standard output, if it is a terminal.
enum Terminal {
    static var isOutput: Bool { StandardStreams.current.isOutputTerminal }

    /// The terminal's width in columns; nil if standard output is not a terminal.
    static var columns: Int? {
        guard isOutput else { return nil }
        if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
            return columns
        }
        var size = winsize()
        guard ioctl(StandardStreams.current.output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether to use colors by default: on a terminal that supports them, unless `NO_COLOR` is set
    /// (<https://no-color.org>).
    static var takesColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isOutput && environment["NO_COLOR"]?.isEmpty != false && environment["TERM"] != "dumb"
    }
}

/// Workflow commands of GitHub Actions.
enum WorkflowCommand {
    /// An annotation: `::error file=a.jsonl,line=1,col=7::message`.
    ///
    /// Escaping rules: <https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts>
    static func line(_ level: String, _ properties: [(name: String, value: String)], message: String) -> String {
        let list = properties.map { "\($0.name)=\(property($0.value))" }.joined(separator: ",")
        return "::\(level) \(list)::\(data(message))"
    }

    private static func data(_ text: String) -> String {
        replace(["%": "%25", "\r": "%0D", "\n": "%0A"], in: text)
    }

    private static func property(_ text: String) -> String { replace([":": "%3A", ",": "%2C"], in: data(text)) }

    private static func replace(_ table: [Unicode.Scalar: String], in text: String) -> String {
        text.unicodeScalars.map { table[$0] ?? String($0) }.joined()
    }
}
