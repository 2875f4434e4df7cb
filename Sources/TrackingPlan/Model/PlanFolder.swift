internal import Foundation

/// The files of a folder like `Schemas`, as they are: for what must be able to look at a plan that is wrong.
public struct PlanFolder: Sendable {
    /// The folder as messages name it, without a slash at its end; empty for files that were never on a disk.
    public let name: String
    /// In the order of their paths' bytes: schemas, examples, the lock file, and whatever else lies there.
    public let files: [PlanFile]

    /// Makes a folder of files.
    public init(name: String = "", files: [PlanFile]) {
        self.name = name
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Reads a folder with everything in it but hidden files.
    ///
    /// - Throws: ``PlanError`` with code `.noFolder` or `.unreadable`.
    public init(path: String) throws(PlanError) {
        let root = URL(fileURLWithPath: path, isDirectory: true)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw PlanError(.noFolder, "there is no folder \(path): name the folder that holds container/ and events/")
        }
        do {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            var files: [PlanFile] = []
            for path in paths where !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
                let place = root.appendingPathComponent(path)
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder), !isFolder.boolValue
                else { continue }
                files.append(PlanFile(path: path, bytes: Array(try Data(contentsOf: place))))
            }
            self.init(name: path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path, files: files)
        } catch {
            throw PlanError(.unreadable, "\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// The file of that path.
    public func file(_ path: String) -> PlanFile? { files.first { $0.path == path } }

    /// A file's path as messages name it.
    public func place(of path: String) -> String { name.isEmpty ? path : "\(name)/\(path)" }
}
