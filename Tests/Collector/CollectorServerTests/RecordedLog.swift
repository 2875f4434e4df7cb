import Logging
import Primitives

/// Records what a collector logs.
private struct RecordedLog: LogHandler {
    let lines: LockedLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.add("\(event.message)" + (event.metadata ?? [:]).map { ", \($0): \($1)" }.sorted().joined())
    }
}

/// The recorded lines: the message, then its metadata.
final class LockedLines: Sendable {
    private let lines = Locked<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func contains(_ text: String) -> Bool { lines.withLock { $0.contains { $0.contains(text) } } }
    var logger: Logger { Logger(label: "collector") { _ in RecordedLog(lines: self) } }
}
