import Foundation

/// What a process took, from its start to its end.
struct ChildUsage {
    let nanoseconds: Double
    /// Peak memory, in KiB; 0 unless it was watched.
    let peakKiB: Int64

    /// Runs a program, its standard output going to a file.
    ///
    /// - Parameters:
    ///   - errors: Where its standard error goes; ours unless set.
    ///   - isWatched: Whether its memory is looked at, 500 times a second. What the system tells of it
    ///     afterwards would include the memory of this process, from which it was started.
    /// - Throws: ``BenchmarkFailure`` unless it ends with status 0.
    static func of(
        _ program: String, _ arguments: [String], output: String, errors: String? = nil, isWatched: Bool = false
    ) throws -> ChildUsage {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        if let errors {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        var texts = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var child = pid_t()
        let start = ContinuousClock.now
        guard posix_spawn(&child, program, &actions, nil, &texts, environ) == 0 else {
            throw BenchmarkFailure("\(program) does not start")
        }
        var status: CInt = 0
        var peak: Int64 = 0
        while true {
            let ended = waitpid(child, &status, isWatched ? WNOHANG : 0)
            if ended == child { break }
            guard ended == 0 || errno == EINTR else { throw BenchmarkFailure("\(program) was lost") }
            if isWatched {
                peak = max(peak, try memory(of: child))
                usleep(2000)
            }
        }
        let time = ContinuousClock.now - start
        guard status == 0 else { throw BenchmarkFailure("\(program) ended with status \(status)") }
        guard !isWatched || peak > 0 else { throw BenchmarkFailure("cannot read the memory use of \(program)") }
        return ChildUsage(nanoseconds: time / .nanoseconds(1), peakKiB: peak)
    }

    /// The high-water mark of a process's memory, in KiB; 0 once it has ended.
    private static func memory(of process: pid_t) throws -> Int64 {
        #if os(Linux)
            let status = FileManager.default.contents(atPath: "/proc/\(process)/status") ?? Data()
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return line.flatMap { Int64($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        #else
            throw BenchmarkFailure("the memory use of another process can be read only on Linux")
        #endif
    }
}

/// The command line of the same build.
enum Trackctl {
    static func run(_ arguments: [String], output: String, isWatched: Bool = false) throws -> ChildUsage {
        try ChildUsage.of(try path(), arguments, output: output, isWatched: isWatched)
    }

    /// The path of the program.
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
