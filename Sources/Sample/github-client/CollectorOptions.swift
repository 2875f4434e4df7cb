import ArgumentParser
import CommandSupport
import Foundation
import TrackingHTTP

/// The collector that events are delivered to.
struct CollectorOptions: ParsableArguments {
    @Option(help: ArgumentHelp("URL of a collector to deliver to, such as http://127.0.0.1:8787.", valueName: "url"))
    var collector: String?

    @Option(
        help: ArgumentHelp(
            "File with the write key. Default: $TRACKING_WRITE_KEY.",
            valueName: "file"))
    var keyFile: String?

    /// The sink; nil without a collector.
    ///
    /// - Throws: ``CommandFailure``: `usage` for an invalid address or key, `noInput` without a key.
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
                    .noInput, "cannot read the key from \(keyFile); check the path and its permissions")
            }
            return String(decoding: data, as: UTF8.self)
        }
        guard let key = ProcessInfo.processInfo.environment["TRACKING_WRITE_KEY"], !key.isEmpty else {
            throw CommandFailure(
                .noInput, "no write key; set TRACKING_WRITE_KEY or pass --key-file")
        }
        return key
    }
}
