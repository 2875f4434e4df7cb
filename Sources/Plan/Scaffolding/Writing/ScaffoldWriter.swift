internal import Foundation
internal import LogFiles

/// Writes all files of a scaffold, or none.
///
/// Everything is written beside its place first. When it is complete, each file gets its name; if one cannot, those before
/// it are taken back. A kill between two names can leave a part: the next run then says which files are in its way.
package struct ScaffoldWriter {
    private let files: [ScaffoldFile]

    package init(_ scaffold: Scaffold) { files = scaffold.files }

    /// Refuses to write where something is.
    ///
    /// - Throws: ``ScaffoldError``, `exists`, with each new file that is there already.
    package func check() throws(ScaffoldError) {
        let present = files.filter { $0.previous == nil && Self.isThere($0.path) }.map(\.path)
        guard !present.isEmpty else { return }
        let head = present.count == 1 ? "this file is there already" : "these files are there already"
        throw ScaffoldError(
            .exists,
            "\(head), and nothing was written: move what is there, or choose another name\n"
                + present.map { "  \($0)" }.joined(separator: "\n"))
    }

    /// Writes them.
    ///
    /// - Throws: ``ScaffoldError``: as ``check()``; `changed` if a file has changed since it was read; `cannotWrite`.
    ///   `LogFileError`: `inUse` if another command writes one of them; `cannotWrite`; `interrupted`. Nothing is changed
    ///   then.
    package func write() throws {
        try check()
        var folders: [String] = []
        var published: [ScaffoldFile] = []
        do {
            for file in files { folders += try Self.makeFolder(of: file.path) }
            let unfinished = try files.map { try Self.begin($0) }
            try Interruption.check()
            for (file, unfinished) in zip(files, unfinished) {
                try Self.requireUnchanged(file)
                try unfinished.publish()
                published.append(file)
            }
        } catch {
            Self.takeBack(published, folders)
            throw error
        }
    }

    private static func begin(_ file: ScaffoldFile) throws -> UnfinishedFile {
        let unfinished = try UnfinishedFile(path: location(of: file))
        try file.bytes.withUnsafeBytes {
            try DescriptorBytes.write($0, to: unfinished.descriptor, name: file.path)
        }
        var status = stat()
        if file.previous != nil, stat(file.path, &status) == 0 {
            fchmod(unfinished.descriptor, status.st_mode & 0o7777)
        }
        return unfinished
    }

    /// Where a file lies: for one that is changed, behind all links.
    private static func location(of file: ScaffoldFile) -> String {
        file.previous == nil ? file.path : URL(fileURLWithPath: file.path).resolvingSymlinksInPath().path
    }

    private static func requireUnchanged(_ file: ScaffoldFile) throws(ScaffoldError) {
        let isUnchanged =
            file.previous.map { FileManager.default.contents(atPath: file.path).map(Array.init) == $0 }
            ?? !isThere(file.path)
        guard isUnchanged else {
            throw ScaffoldError(
                .changed, "\(file.path) has just been changed by another program: run the command again")
        }
    }

    /// Whether anything has that name, be it a link to nowhere.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Makes the folder of a file, and those above it.
    ///
    /// - Returns: The folders that were not there, the outermost first.
    private static func makeFolder(of path: String) throws(ScaffoldError) -> [String] {
        var made: [String] = []
        var steps = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()[...]
        while !steps.isEmpty, case let folder = steps.joined(separator: "/"), !folder.isEmpty, !isThere(folder) {
            made.insert(folder, at: 0)
            steps.removeLast()
        }
        for (index, folder) in made.enumerated() where mkdir(folder, 0o755) != 0 {
            let code = errno
            takeBack([], Array(made[..<index]))
            throw ScaffoldError.making(folder: folder, code)
        }
        return made
    }

    /// Undoes what was done. What fails here leaves a file that the next run names.
    private static func takeBack(_ published: [ScaffoldFile], _ folders: [String]) {
        for file in published.reversed() {
            if let previous = file.previous {
                try? ReplacedFile.write(previous, path: location(of: file))
            } else {
                unlink(file.path)
            }
        }
        for folder in folders.reversed() { rmdir(folder) }
    }
}
