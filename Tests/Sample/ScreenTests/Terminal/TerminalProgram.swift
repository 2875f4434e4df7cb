import CommandRunner
import Foundation

/// A program on its own pseudo-terminal, as if a user had started it.
final class TerminalProgram: Sendable {
    /// The terminal or the program cannot be started.
    struct NotStarted: Error, CustomStringConvertible {
        let description: String

        init(_ what: String, _ code: Int32 = errno) { description = "\(what): \(String(cString: strerror(code)))" }
    }

    /// The content of the terminal.
    let screen: Awaited<TerminalGrid>
    /// The program's status from `waitpid`; nil while it runs.
    let status = Awaited<Int32?>(nil)
    private let master: Int32
    private let pid: pid_t

    /// Starts a program.
    ///
    /// - Parameter path: The program's path; `PATH` is not searched.
    init(_ path: String, _ arguments: [String], rows: Int, columns: Int) throws {
        let terminal = try PseudoTerminal(rows: rows, columns: columns)
        let master = terminal.master
        // The program opens it again, in its own session.
        defer { close(terminal.slave) }
        do {
            pid = try Self.spawn(path, arguments, on: try terminal.name)
        } catch {
            close(master)
            throw error
        }
        self.master = master
        screen = Awaited(TerminalGrid(rows: rows, columns: columns))
        Thread.detachNewThread { [screen] in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = read(master, &buffer, buffer.count), count > 0 {
                screen.change { $0.write(buffer.prefix(count)) }
            }
            close(master)
        }
        Thread.detachNewThread { [status, pid] in
            var code: Int32 = 0
            while waitpid(pid, &code, 0) < 0, errno == EINTR {}
            status.change { $0 = code }
        }
    }

    deinit { if status.current == nil { kill(pid, SIGKILL) } }

    /// Types a text. Returns when the terminal has received it.
    func type(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            guard count > 0 else { throw NotStarted("cannot type") }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a signal, such as `SIGTERM`.
    func send(_ signal: Int32) { kill(pid, signal) }

    /// Waits for the program's end.
    ///
    /// - Returns: Its exit code, or 128 plus the number of the signal that ended it, as in shells.
    func exitCode() async throws -> Int32 {
        let status = try await status.value("the program's end") { $0 != nil } ?? 0
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Resizes the terminal, like a window.
    func resize(rows: Int, columns: Int) throws {
        // From now on, the program draws for the new size.
        screen.change { $0 = TerminalGrid(rows: rows, columns: columns) }
        try PseudoTerminal.resize(master, rows: rows, columns: columns)
    }

    /// Starts a program in its own session, with this terminal as its controlling terminal.
    private static func spawn(_ path: String, _ arguments: [String], on terminal: String) throws -> pid_t {
        #if canImport(Glibc)
            var (attributes, actions) = (posix_spawnattr_t(), posix_spawn_file_actions_t())
            let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which the header hides without _GNU_SOURCE
        #else
            var (attributes, actions): (posix_spawnattr_t?, posix_spawn_file_actions_t?) = (nil, nil)
            let newSession = Int16(POSIX_SPAWN_SETSID)
        #endif
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        // The threads of tests block signals, and a program inherits its parent's blocked signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)

        let argv = ([path] + arguments).map { strdup($0) }
        let variables = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { _, new in new }
        let envp = variables.map { strdup("\($0)=\($1)") }
        defer { for string in argv + envp { free(string) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, argv + [nil], envp + [nil])
        guard code == 0 else { throw NotStarted("cannot start \(path)", code) }
        return pid
    }
}
