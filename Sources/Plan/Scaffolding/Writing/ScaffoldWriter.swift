internal import Foundation
internal import LogFiles

/// Writes all files of a scaffold, or none.
///
/// First writes everything to temporary files next to the targets, then renames them. If a rename fails, the earlier
/// ones are undone. A process kill between two renames can leave some files; the next run reports which files exist.
package struct ScaffoldWriter {
    private let files: [ScaffoldFile]

    package init(_ scaffold: Scaffold) { files = scaffold.files }

    /// Checks that no new file exists.
    ///
    /// - Throws: ``ScaffoldError``, `exists`, with each new file that already exists.
    package func check() throws(ScaffoldError) {
        let present = files.filter { $0.previous == nil && Self.isThere($0.path) }.map(\.path)
        guard !present.isEmpty else { return }
        let head = present.count == 1 ? "this file already exists" : "these files already exist"
        throw ScaffoldError(
            .exists,
            "\(head), and nothing was written: move the \(present.count == 1 ? "file" : "files"), or choose another name\n"
                + present.map { "  \($0)" }.joined(separator: "\n"))
    }

    /// Writes the files.
    ///
    /// - Throws: ``ScaffoldError``: the errors of ``check()``; `changed` if a file has changed since it was read;
    ///   `cannotWrite`. `LogFileError`: `inUse` if another command is writing one of the files; `cannotWrite`;
    ///   `interrupted`. After an error nothing is changed.
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

    /// Returns the path of a file; for an existing file, with symbolic links resolved.
    private static func location(of file: ScaffoldFile) -> String {
        file.previous == nil ? file.path : URL(fileURLWithPath: file.path).resolvingSymlinksInPath().path
    }

    private static func requireUnchanged(_ file: ScaffoldFile) throws(ScaffoldError) {
        let isUnchanged =
            file.previous.map { FileManager.default.contents(atPath: file.path).map(Array.init) == $0 }
            ?? !isThere(file.path)
        guard isUnchanged else {
            throw ScaffoldError(
                .changed, "another program changed \(file.path): run the command again")
        }
    }

    /// Returns whether a path exists, even as a dangling symbolic link.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Creates the folder of a file and its missing parents.
    ///
    /// - Returns: The created folders, the outermost first.
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

    /// Undoes the changes. A failure here leaves files that the next run reports.
    private static func takeBack(_ published: [ScaffoldFile], _ folders: [String]) {
        for file in published.reversed() {
            if let previous = file.previous {
                // If this fails, the file keeps its new text, and the next run reports it.
                try? ReplacedFile.write(previous, path: location(of: file))
            } else {
                unlink(file.path)
            }
        }
        for folder in folders.reversed() { rmdir(folder) }
    }
}
