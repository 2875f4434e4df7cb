package import CollectorStore
internal import DeliveryProtocol
internal import Foundation
internal import JSONLines
internal import Primitives
internal import StreamClient

/// Messages that exceed the stream's limit and can't be split: a file with a line for each. Their events stay in the
/// store, so that forwarding again, with a higher limit, publishes them. Thread-safe.
package struct SetAsideMessages: Sendable {
    /// The name of the file in a data folder.
    private static let name = "set-aside.ndjson"
    /// The most messages that are listed as findings, and the most bytes of the file that are read.
    private static let maximumFindings = 100
    private static let maximumBytes = 1 << 20

    private let path: String

    /// - Parameter dataFolder: The collector's data folder.
    package init(dataFolder: String) { path = "\(dataFolder)/\(Self.name)" }

    /// - Parameter forwardingPath: The file of the forwarder's position, which is in the data folder.
    init(forwardingPath: String) { self.init(dataFolder: (forwardingPath as NSString).deletingLastPathComponent) }

    /// Records a message, synced.
    ///
    /// - Returns: What to report; nil if the message was recorded before.
    /// - Throws: `StoreError` with `writeFailed`.
    func add(_ message: StreamMessage, bytes: Int, limit: Int) throws(StoreError) -> StoreFinding? {
        let ranges = message.numbers + message.absent.map(\.seqs)
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.key("receipt")
        json.integer(message.receipt.number)
        json.key("install_id")
        json.string(message.installID)
        json.key("first")
        json.integer(ranges.first?.lowerBound ?? 0)
        json.key("last")
        json.integer(ranges.last?.upperBound ?? 0)
        json.key("bytes")
        json.integer(bytes)
        json.key("limit")
        json.integer(limit)
        json.endObject()
        let line = json.bytes
        do {
            let known = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
            if known.split(separator: UInt8(ascii: "\n")).contains(line[...]) { return nil }
            try SystemCalls().replace(path, with: known + line + [UInt8(ascii: "\n")], draft: path + ".draft")
        } catch {
            throw StoreError(
                .writeFailed, "cannot write \(path): \(error); check the free space", underlyingError: error)
        }
        return finding(line)
    }

    /// A finding for each message, for the first 100.
    package func findings() -> [StoreFinding] {
        // Without the file, or if it is unreadable, there are no findings.
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: Self.maximumBytes)
        else { return [] }
        return data.split(separator: UInt8(ascii: "\n")).prefix(Self.maximumFindings).compactMap {
            finding([UInt8]($0))
        }
    }

    private func finding(_ line: [UInt8]) -> StoreFinding? {
        guard let value = JSONValue(validating: line), let install = value["install_id"]?.stringValue else {
            return nil
        }
        func number(_ name: String) -> Int64 { value[name]?.integerValue ?? 0 }
        return StoreFinding(
            .warning, .unpublished, subject: install,
            message:
                """
                numbers \(number("first")) to \(number("last")) of receipt \(number("receipt")) are stored, but not \
                forwarded: a message of \(number("bytes")) bytes exceeds the stream's limit of \(number("limit")). \
                Raise max_payload of the servers, stop the collector, remove forwarded.json and \(path), and start \
                the collector: it forwards all stored events again. To give the events up, remove only \(path)
                """)
    }
}
