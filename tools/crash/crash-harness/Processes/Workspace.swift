import Foundation

/// The folder of a harness: removed on success, kept after errors.
struct Workspace {
    let path: String

    init(_ base: String, _ name: String) throws {
        path = "\(base)/\(name)"
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// The path of an entry.
    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Creates an empty folder in the workspace.
    func makeFolder(_ name: String) throws -> String {
        let folder = path(name)
        if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
