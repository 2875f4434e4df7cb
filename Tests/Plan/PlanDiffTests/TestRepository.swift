import Foundation

/// A git repository in a temporary folder, which is removed on deinitialization.
final class TestRepository: Sendable {
    /// The folder.
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
        try git("init", "-q")
    }

    deinit {
        // A leftover folder must not fail the test.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, and creates its folders.
    func write(_ content: String, to file: String) throws {
        let location = URL(fileURLWithPath: path).appendingPathComponent(file)
        try FileManager.default.createDirectory(
            at: location.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: location)
    }

    /// Commits all changes.
    func commit() throws {
        try git("add", "-A")
        try git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "Test")
    }

    /// A command that failed.
    struct Failed: Error {}

    func git(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", path] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
    }
}
