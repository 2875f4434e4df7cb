internal import ArgumentParser
internal import Foundation

/// How many threads work on lines.
struct JobsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How many threads read and count (default: one for each processor).", valueName: "count"))
    var jobs: Int?

    func validate() throws {
        guard (1...256).contains(jobs ?? 1) else { throw ValidationError("--jobs must be between 1 and 256") }
    }

    /// How many threads there are.
    var threads: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }
}
