import ArgumentParser
import CommandSupport
import Foundation
import TrackingHTTP

/// Where events are delivered to over HTTP.
struct CollectorOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Deliver to this collector, too, such as http://127.0.0.1:8787.", valueName: "url"))
    var collector: String?

    @Option(
        help: ArgumentHelp(
            "File with the write key. Default: $TRACKING_WRITE_KEY. Never an argument: other users see those.",
            valueName: "file"))
    var keyFile: String?

    /// The sink; nil if no collector was named.
    ///
    /// - Throws: ``CommandFailure``: `usage` for an address or key that can't be used, `noInput` without a key.
    func sink() throws -> HTTPSink? {
        guard let collector else { return nil }
        let key = try self.key().trimmingCharacters(in: .whitespacesAndNewlines)
        let path = collector.hasSuffix("/v1/events") ? "" : (collector.hasSuffix("/") ? "v1/events" : "/v1/events")
        do { return try HTTPSink(url: collector + path, key: key) } catch {
            throw CommandFailure(.usage, "cannot deliver to \(collector): \(error)")
        }
    }

    private func key() throws -> String {
        if let keyFile {
            guard let data = FileManager.default.contents(atPath: keyFile) else {
                throw CommandFailure(
                    .noInput, "cannot read the key from \(keyFile): check the path and its permissions")
            }
            return String(decoding: data, as: UTF8.self)
        }
        guard let key = ProcessInfo.processInfo.environment["TRACKING_WRITE_KEY"], !key.isEmpty else {
            throw CommandFailure(
                .noInput, "there is no write key: set TRACKING_WRITE_KEY, or name its file by --key-file")
        }
        return key
    }
}
