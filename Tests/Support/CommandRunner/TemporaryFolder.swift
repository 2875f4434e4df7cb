public import Foundation

/// A folder that is removed with its owner.
public final class TemporaryFolder: Sendable {
    /// The path.
    public let path: String

    /// Creates an empty folder.
    public init(permissions: Int = 0o700) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("swift-tracking-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: permissions])
    }

    deinit {
        // The system removes leftovers in its temporary folder.
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
