internal import CollectorStore
internal import Foundation
internal import JSONLines
internal import Primitives

/// The file with the position of a forwarder. Thread-safe.
struct ForwardingPosition: Sendable {
    struct Content: Equatable {
        /// Batches up to this receipt are in the stream.
        var receipt: Int64
        /// Identifies the stream.
        var stream: String
    }

    private let path: String
    private let collector: String
    private let files: any FileCalls
    private let written = Locked<(content: Content, time: ContinuousClock.Instant)?>(nil)

    init(path: String, collector: String, files: any FileCalls = SystemCalls()) {
        self.path = path
        self.collector = collector
        self.files = files
    }

    /// The stored position; nil without a file, for a file of another collector, and for a damaged file: then everything
    /// is forwarded again.
    ///
    /// - Throws: `StoreError` with `cannotOpen`.
    func read() throws(StoreError) -> Content? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw StoreError(
                .cannotOpen, "cannot open \(path): \(error); check its owner, or remove it", underlyingError: error)
        }
        guard let value = JSONValue(validating: data), value["collector"]?.stringValue == collector,
            let receipt = value["receipt"]?.integerValue, receipt >= 0, let stream = value["stream"]?.stringValue
        else { return nil }
        return Content(receipt: receipt, stream: stream)
    }

    /// Stores a position, synced.
    ///
    /// - Throws: `StoreError` with `writeFailed`.
    func write(_ content: Content) throws(StoreError) {
        var json = JSONWriter(capacity: 128)
        json.beginObject()
        json.key("collector")
        json.string(collector)
        json.key("receipt")
        json.integer(content.receipt)
        json.key("stream")
        json.string(content.stream)
        json.endObject()
        do { try files.replace(path, with: json.bytes + [UInt8(ascii: "\n")], draft: path + ".draft") } catch {
            throw StoreError(
                .writeFailed, "cannot write \(path): \(error); check the free space", underlyingError: error)
        }
        written.withLock { $0 = (content, .now) }
    }

    /// Stores a later position of the same stream, at most once a second: what is forwarded again after a crash is
    /// recognized.
    ///
    /// - Throws: `StoreError` with `writeFailed`.
    func move(to receipt: Int64) throws(StoreError) {
        guard let last = written.withLock({ $0 }), ContinuousClock.now - last.time >= .seconds(1) else { return }
        try write(Content(receipt: receipt, stream: last.content.stream))
    }
}
