#if os(macOS) || os(Linux)
    internal import Foundation
    package import TrackingPlan

    extension PlanFolder {
        /// Reads the plan files of a folder at a git revision, without symbolic links and submodules. A folder that did
        /// not exist is empty.
        ///
        /// - Parameters:
        ///   - path: The folder. It must exist in the working tree.
        ///   - revision: A git revision: `HEAD~1`, `origin/main`, `v1.0`.
        /// - Throws: ``PlanError`` with code `.noRevision` or `.unreadable`.
        package init(path: String, atRevision revision: String) throws(PlanError) {
            let git = GitRun(folder: path)
            let prefix = try git(["rev-parse", "--show-prefix"])
            guard prefix.status == 0 else {
                throw PlanError(
                    .noRevision,
                    "\(path) is not in a git repository: pass a folder instead of git:\(revision)")
            }
            let commit =
                revision.hasPrefix("-") || revision.isEmpty
                ? nil : try git(["rev-parse", "--verify", "--quiet", revision + "^{commit}"])
            guard let commit, commit.status == 0 else {
                throw PlanError(
                    .noRevision,
                    "unknown revision \(revision): list revisions with git log, or run git fetch")
            }
            let listing = try git(["ls-tree", "-r", "-z", Self.line(commit.output)])
            guard listing.status == 0 else {
                throw PlanError(.unreadable, "git cannot list the files of \(path) in \(revision): run git fsck")
            }
            let location = Self.line(prefix.output).split(separator: "/").joined(separator: "/")
            self.init(
                name: "\(revision):" + (location.isEmpty ? "." : location),
                files: try Self.files(listing.output, git: git, name: "\(path) in \(revision)"))
        }

        private static func line(_ output: [UInt8]) -> String {
            String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }

        /// Reads a listing: entries of `mode type object<TAB>path`, separated by zero bytes.
        private static func files(_ listing: [UInt8], git: GitRun, name: String) throws(PlanError) -> [PlanFile] {
            var entries: [(object: String, path: String)] = []
            for entry in listing.split(separator: 0) {
                let parts = entry.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
                let words = parts.first?.split(separator: UInt8(ascii: " ")) ?? []
                guard parts.count == 2, words.count == 3, words[0].starts(with: "100".utf8) else { continue }
                let path = String(decoding: parts[1], as: UTF8.self)
                guard belongs(path) else { continue }
                entries.append((String(decoding: words[2], as: UTF8.self), path))
            }
            var files: [PlanFile] = []
            // As many objects as fit into a pipe's buffer, with SHA-256 hashes too.
            for start in stride(from: 0, to: entries.count, by: 200) {
                let some = entries[start..<min(start + 200, entries.count)]
                let answer = try git(["cat-file", "--batch"], input: some.map { $0.object + "\n" }.joined())
                var contents = answer.output[...]
                for entry in some {
                    guard let bytes = Self.content(&contents) else {
                        throw PlanError(.unreadable, "git cannot read \(entry.path) of \(name): run git fsck")
                    }
                    files.append(PlanFile(path: entry.path, bytes: bytes))
                }
            }
            return files
        }

        /// Consumes one object: `object type size`, a line feed, the content, a line feed.
        private static func content(_ answer: inout ArraySlice<UInt8>) -> [UInt8]? {
            let header = answer.prefix { $0 != UInt8(ascii: "\n") }
            let words = header.split(separator: UInt8(ascii: " "))
            guard words.count == 3, let size = Int(String(decoding: words[2], as: UTF8.self)) else { return nil }
            let rest = answer.dropFirst(header.count + 1)
            guard rest.count > size else { return nil }
            answer = rest.dropFirst(size + 1)
            return Array(rest.prefix(size))
        }
    }

    /// Runs `git` in a folder.
    struct GitRun {
        /// The result of a run.
        struct Outcome {
            let status: Int32
            let output: [UInt8]
        }

        /// The working directory.
        let folder: String

        /// Runs git to its end. Error output is discarded; the exit status reports failure.
        ///
        /// - Parameter input: At most 16,000 bytes, which a pipe buffers without a reader.
        /// - Throws: ``PlanError`` with code `.noRevision` if `git` is not installed.
        func callAsFunction(_ arguments: [String], input: String = "") throws(PlanError) -> Outcome {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["git", "-C", folder] + arguments
            // A hook's environment names the hook's repository, not the repository of this folder.
            process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
            let output = Pipe()
            let question = Pipe()
            process.standardOutput = output
            process.standardInput = question
            process.standardError = FileHandle.nullDevice
            do {
                try process.run()
                try question.fileHandleForWriting.write(contentsOf: Data(input.utf8))
                try question.fileHandleForWriting.close()
                let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
                process.waitUntilExit()
                guard process.terminationStatus != 127 else { throw CocoaError(.fileNoSuchFile) }
                return Outcome(status: process.terminationStatus, output: Array(bytes))
            } catch {
                throw PlanError(.noRevision, "cannot run git: install it, or pass a folder instead of a revision")
            }
        }
    }
#endif
