import Foundation

/// The folder of one harness: removed when all was well, kept when not.
struct Workspace {
    let path: String

    init(_ base: String, _ name: String) throws {
        path = "\(base)/\(name)"
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// The path of something in it.
    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a folder in it, empty.
    func makeFolder(_ name: String) throws -> String {
        let folder = path(name)
        if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
