import Foundation

/// The command line of the same build.
enum Trackctl {
    static func run(_ arguments: [String], output: String, isWatched: Bool = false) throws -> ChildUsage {
        try ChildUsage.of(try path(), arguments, output: output, isWatched: isWatched)
    }

    /// Where it stands.
    ///
    /// - Throws: ``BenchmarkFailure`` if it was not built.
    static func path() throws -> String {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("trackctl").path
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw BenchmarkFailure("cannot find \(program): run tools/bench/run, which builds it")
        }
        return program
    }
}
