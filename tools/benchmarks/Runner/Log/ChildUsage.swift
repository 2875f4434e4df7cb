import Foundation

/// What a process took, from its start to its end.
struct ChildUsage {
    let nanoseconds: Double
    /// The most memory that it held at once, in KiB.
    let peakKiB: Int64

    /// Runs a program, its standard output going to a file.
    ///
    /// - Throws: ``BenchmarkFailure`` unless it ends with status 0.
    static func of(_ program: String, _ arguments: [String], output: String) throws -> ChildUsage {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var texts = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var child = pid_t()
        let start = ContinuousClock.now
        guard posix_spawn(&child, program, &actions, nil, &texts, environ) == 0 else {
            throw BenchmarkFailure("\(program) does not start")
        }
        var status: CInt = 0
        var usage = rusage()
        while wait4(child, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw BenchmarkFailure("\(program) was lost") }
        }
        let time = ContinuousClock.now - start
        guard status == 0 else { throw BenchmarkFailure("\(program) ended with status \(status)") }
        #if canImport(Darwin)
            let peak = Int64(usage.ru_maxrss) / 1024
        #else
            let peak = Int64(usage.ru_maxrss)
        #endif
        return ChildUsage(nanoseconds: time / .nanoseconds(1), peakKiB: peak)
    }
}
