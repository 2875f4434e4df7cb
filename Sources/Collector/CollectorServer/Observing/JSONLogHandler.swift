internal import CollectorStore
internal import EventModel
internal import Foundation
internal import JSONLines
package import Logging

/// Writes log entries as JSON lines to standard error: `{"time":…,"level":"info","message":"…",…}`.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level = .info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String

    package init(label: String) { self.label = label }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var json = JSONWriter()
        json.beginObject()
        json.key("time")
        json.seconds(microseconds: EventTime.ofSystem().microseconds)
        json.key("level")
        json.string(event.level.rawValue)
        json.key("logger")
        json.string(label)
        json.key("message")
        json.string(event.message.description)
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            json.key(name)
            json.string(value.description)
        }
        json.endObject()
        let line = json.bytes + [0x0A]
        // A single write keeps lines of several threads intact.
        line.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
