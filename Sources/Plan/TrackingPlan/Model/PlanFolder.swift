internal import Foundation
package import Primitives

/// The files of a folder like `Schemas`, as they are: for what must be able to look at a plan that is wrong.
public struct PlanFolder: Sendable {
    /// The folder as messages name it, without a slash at its end; empty for files that were never on a disk.
    public let name: String
    /// In the order of their paths' bytes: schemas, examples, the lists of pages and of unplanned events, the lock
    /// files and the documentation.
    public let files: [PlanFile]

    /// Makes a folder of files.
    public init(name: String = "", files: [PlanFile]) {
        self.name = name
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Reads what belongs to a plan in a folder; links are followed.
    ///
    /// - Throws: ``PlanError`` with code `.noFolder` or `.unreadable`.
    public init(path: String) throws(PlanError) {
        let root = URL(fileURLWithPath: path, isDirectory: true)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw PlanError(
                .noFolder, "there is no folder \(path): pass the folder with events/, such as Sources/App/Schemas")
        }
        do {
            var files: [PlanFile] = []
            try Self.read(root, below: [], into: &files)
            self.init(name: path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path, files: files)
        } catch {
            throw PlanError(.unreadable, "\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    private static let subfolders: Set<String> = ["container", "events", "examples"]
    /// `events/<name>/<version>.json`, and one folder more, whose place is then found fault with. It ends links in a ring.
    private static let maximumDepth = 4

    /// Whether a file's path is one that a plan has: below `container`, `events` or `examples`, or a list, a lock
    /// or documentation next to them. Nothing is hidden.
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
                files.append(PlanFile(path: path, bytes: Array(try Data(contentsOf: location))))
            }
        }
    }

    /// Whether there is any schema, whatever is written in it.
    public var hasSchemas: Bool { files.contains { EventPlan.isSchema($0.path) } }

    /// Whether there is a schema, a list of pages or of unplanned events, or a choice of optional sets, whatever is written in it.
    package var hasPlan: Bool {
        hasSchemas
            || [PlannedPages.path, Self.setsPath, UnplannedList.path].contains { file($0) != nil }
    }

    /// Refuses a folder with nothing of a plan: it is the wrong one.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema`.
    package func requireSchemas() throws(PlanError) {
        guard !hasPlan else { return }
        throw PlanError(.notASchema, "\(name) holds no schema: name the folder with events/")
    }

    /// The file of that path.
    public func file(_ path: String) -> PlanFile? { files.first { $0.path == path } }

    /// A file's path as messages name it.
    public func location(of path: String) -> String { name.isEmpty ? path : "\(name)/\(path)" }

    /// The former name of ``location(of:)``.
    @available(*, deprecated, renamed: "location(of:)")
    public func place(of path: String) -> String { location(of: path) }
}

/// A file of a plan, read but not looked into.
public struct PlanFile: Hashable, Sendable {
    /// Its place within the folder: `events/search/1-0-0.json`.
    public let path: String
    /// Its content.
    public let bytes: [UInt8]

    /// Makes a file.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// A plan that cannot be used.
public struct PlanError: Error, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// There is no such folder.
        public static let noFolder = Code(name: "noFolder")
        /// There is no such revision, or no repository that could have one.
        public static let noRevision = Code(name: "noRevision")
        /// A file or folder cannot be read.
        public static let unreadable = Code(name: "unreadable")
        /// A file is no JSON, or no schema, or stands where no schema stands.
        public static let notASchema = Code(name: "notASchema")
    }

    /// What kind of fault it is.
    public let code: Code
    /// What is wrong and what to do, one fault a line.
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
