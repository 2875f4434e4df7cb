import CommandSupport
import Foundation

/// The folder that a run writes to.
struct OutputFolder {
    /// Its path.
    let path: String
    private let url: URL

    /// Makes the folder if it isn't there.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    init(path: String) throws {
        do {
            // What users typed is nobody else's.
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                .inputOutput,
                "the folder \(path) cannot be made: check that you may write there (\(error.localizedDescription))")
        }
        self.path = path
        url = URL(fileURLWithPath: path, isDirectory: true)
    }

    /// The event log.
    var database: String { file("events.sqlite") }
    /// The events as JSON lines.
    var lines: String { file("events.jsonl") }
    /// Who uses the app.
    var identity: String { file("identity.json") }

    private func file(_ name: String) -> String { URL(fileURLWithPath: name, relativeTo: url).path }
}
