import Foundation

/// How a process ended.
enum ChildEnd: Equatable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)

    init(status: Int32) { self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F) }

    var description: String {
        switch self {
        case .exited(let code): "exited with \(code)"
        case .signalled(let signal): "was ended by signal \(signal)"
        }
    }
}

/// A child process.
final class Child {
    let pid: pid_t
    private var end: ChildEnd?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The path.
    ///   - arguments: The arguments, without the program's name.
    ///   - output: The file for standard output, which is overwritten.
    ///   - errors: The file for standard error, which is appended to.
    ///   - environment: Variables in addition to those of this process.
    init(
        _ program: String, _ arguments: [String], output: String = "/dev/null", errors: String,
        environment: [String: String] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let argv = CStrings([program] + arguments)
        let envp = CStrings(variables.map { "\($0)=\($1)" })
        var pid: pid_t = 0
        let error = posix_spawn(&pid, program, &actions, nil, argv.pointers, envp.pointers)
        guard error == 0 else {
            throw HarnessError("cannot start \(program): \(String(cString: strerror(error)))")
        }
        self.pid = pid
    }

    /// Kills the process immediately.
    func kill() { _ = Foundation.kill(pid, SIGKILL) }

    /// The ending of the process; nil if it is running.
    func poll() -> ChildEnd? {
        if let end { return end }
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        end = ChildEnd(status: status)
        return end
    }

    /// Waits for the process to end; after the timeout, kills it and returns nil.
    func wait(seconds: Int) -> ChildEnd? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if let end = poll() { return end }
            if ContinuousClock.now > deadline { break }
            usleep(300)
        }
        kill()
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        end = ChildEnd(status: status)
        return nil
    }
}

/// C strings that live as long as this object.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() { pointers[index] = strdup(string) }
        pointers[count] = nil
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}

/// An error of the harness itself.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
