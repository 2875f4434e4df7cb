#if os(macOS) || os(Linux)
    internal import Foundation
    internal import TrackingPlan

    /// Runs `git` in a folder.
    struct GitRun {
        /// What a run left behind.
        struct Outcome {
            let status: Int32
            let output: [UInt8]
        }

        /// Where it runs.
        let folder: String

        /// Runs it to its end; what it complains about is dropped, the status tells.
        ///
        /// - Parameter input: At most 16,000 bytes: what a pipe takes before anybody reads it.
        /// - Throws: ``PlanError`` with code `.noRevision` if there is no `git`.
        func callAsFunction(_ arguments: [String], input: String = "") throws(PlanError) -> Outcome {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["git", "-C", folder] + arguments
            // A hook's variables name the repository from where the hook runs, not from this folder.
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
                throw PlanError(.noRevision, "git cannot be run: install it, or name a folder instead of a revision")
            }
        }
    }
#endif
