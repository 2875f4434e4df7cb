internal import Foundation
package import Primitives

/// The files of a folder such as `Schemas`, unparsed, so that tools can read an invalid plan.
public struct PlanFolder: Sendable {
    /// The folder in messages, without a trailing slash; empty for files in memory.
    public let name: String
    /// The files, sorted by the paths' bytes: schemas, examples, the lists of pages and unplanned events, lock files
    /// and documentation.
    public let files: [PlanFile]

    /// Makes a folder from files.
    public init(name: String = "", files: [PlanFile]) {
        self.name = name
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Reads a plan's files from a folder. Symbolic links are followed.
    ///
    /// - Throws: ``PlanError`` with code `.noFolder` or `.unreadable`.
    public init(path: String) throws(PlanError) {
        let root = URL(fileURLWithPath: path, isDirectory: true)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw PlanError(
                .noFolder,
                "the folder \(path) does not exist: pass the folder with events/, such as Sources/App/Schemas")
        }
        do {
            var files: [PlanFile] = []
            try Self.read(root, below: [], into: &files)
            self.init(name: path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path, files: files)
        } catch let error as PlanError {
            throw error
        } catch {
            throw PlanError(.unreadable, "cannot read \(path): \(error.localizedDescription)")
        }
    }

    /// The maximum length of a file, in bytes.
    package static let maximumFileBytes: Int64 = 16 << 20
    private static let subfolders: Set<String> = ["container", "events", "examples"]
    /// The depth of `events/<name>/<version>.json` and one more level, to report misplaced files. The limit stops
    /// cycles of links.
    private static let maximumDepth = 4

    /// Returns whether a path can belong to a plan: in `container`, `events` or `examples`, or a list, lock file or
    /// documentation next to them. Hidden files never belong to a plan.
    package static func belongs(_ path: String) -> Bool {
        let steps = path.split(separator: "/")
        guard !steps.contains(where: { $0.hasPrefix(".") }) else { return false }
        guard steps.count == 1 else { return steps.count <= maximumDepth && subfolders.contains(String(steps[0])) }
        return [setsPath, PlannedPages.path, UnplannedList.path].contains(path)
            || [".lock", ".md", ".html"].contains { path.hasSuffix($0) }
    }

    private static func read(_ root: URL, below steps: [String], into files: inout [PlanFile]) throws {
        let folder = steps.reduce(root) { $0.appendingPathComponent($1) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let path = (steps + [name]).joined(separator: "/")
            let location = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: location.path, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                guard steps.isEmpty ? subfolders.contains(name) : steps.count + 1 < maximumDepth, !name.hasPrefix(".")
                else { continue }
                try read(root, below: steps + [name], into: &files)
            } else if belongs(path) {
                var status = stat()
                // Reading something else, such as a pipe, might never end.
                guard stat(location.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                guard status.st_size <= maximumFileBytes else {
                    throw PlanError(
                        .notASchema,
                        "\(location.path) has more than \(maximumFileBytes) bytes, the limit of a plan's files: split it, or remove it"
                    )
                }
                files.append(PlanFile(path: path, bytes: Array(try Data(contentsOf: location))))
            }
        }
    }

    /// Whether the folder has any schema file, valid or not.
    public var hasSchemas: Bool { files.contains { EventPlan.isSchema($0.path) } }

    /// Whether the folder has a schema, a list of pages or unplanned events, or a selection of optional sets, valid or
    /// not.
    package var hasPlan: Bool {
        hasSchemas
            || [PlannedPages.path, Self.setsPath, UnplannedList.path].contains { file($0) != nil }
    }

    /// Checks that the folder contains schemas.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema`.
    package func requireSchemas() throws(PlanError) {
        guard !hasPlan else { return }
        throw PlanError(.notASchema, "\(name) has no schemas: pass the folder that contains events/")
    }

    /// Returns the file at a path.
    public func file(_ path: String) -> PlanFile? { files.first { $0.path == path } }

    /// Returns a file's path for messages.
    public func location(of path: String) -> String { name.isEmpty ? path : "\(name)/\(path)" }
}

/// A file of a plan, unparsed.
public struct PlanFile: Hashable, Sendable {
    /// The path within the folder: `events/search/1-0-0.json`.
    public let path: String
    /// Its content.
    public let bytes: [UInt8]

    /// Makes a file.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// An error in a plan.
public struct PlanError: Error, Sendable, CustomStringConvertible {
    /// The kind of error.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// The folder does not exist.
        public static let noFolder = Code(name: "noFolder")
        /// The revision, or the repository, does not exist.
        public static let noRevision = Code(name: "noRevision")
        /// A file or folder cannot be read.
        public static let unreadable = Code(name: "unreadable")
        /// A file is not JSON, not a schema, or not at the path of a schema.
        public static let notASchema = Code(name: "notASchema")
    }

    /// The kind of error.
    public let code: Code
    /// The problem and what to do, one error on each line.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension PlanError: LayerError {
    package var category: ErrorCategory {
        switch code {
        case .noFolder, .noRevision: .notFound
        case .unreadable: .inputOutput
        default: .invalidInput
        }
    }
}
