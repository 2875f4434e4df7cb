public import Foundation

/// A folder that goes with its owner.
public final class TemporaryFolder: Sendable {
    /// Its path.
    public let path: String

    /// Makes an empty folder.
    public init(permissions: Int = 0o700) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("swift-tracking-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: permissions])
    }

    deinit {
        // What is left behind in the system's temporary folder goes with it.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Reads a file.
    public func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path(name)))
    }
}
