internal import Foundation

/// Runs a command of this package to its end.
///
/// ```swift
/// let result = try await runCommand("trackctl", ["dump", "-"], stdin: bytes)
/// ```
///
/// - Parameters:
///   - name: `trackctl` or `github-client`.
///   - arguments: Without the command's name.
///   - stdin: The standard input, which the command reads through a pipe.
///   - environment: Variables in addition to those of this process.
///   - user: `nobody` to run it without root's rights, which needs root; nil for this process's user.
/// - Throws: ``CommandLocation/NotBuilt``, or an error from starting the command.
package func runCommand(
    _ name: String, _ arguments: [String], stdin: [UInt8] = [], environment: [String: String] = [:],
    asUser user: String? = nil
) async throws -> CommandResult {
    let path = try CommandLocation.path(of: name)
    return try await runProgram(path, arguments, stdin: stdin, environment: environment, asUser: user)
}

/// Runs a program to its end; see ``runCommand(_:_:stdin:environment:asUser:)``.
///
/// - Parameter path: The program's path; `PATH` is not searched.
package func runProgram(
    _ path: String, _ arguments: [String], stdin: [UInt8] = [], environment: [String: String] = [:],
    asUser user: String? = nil
) async throws -> CommandResult {
    let process = Process()
    if user == nil {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
    } else {
        // 65534 is the user `nobody` on every Linux system.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        process.arguments = ["--reuid=65534", "--regid=65534", "--clear-groups", path] + arguments
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }

    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    return try await run(process, stdin, output.fileHandleForReading, errors.fileHandleForReading)
}

/// Runs a command of this package with standard output and standard error on separate terminals with `columns` columns;
/// see ``runCommand(_:_:stdin:environment:asUser:)``. The result has the exact bytes that it wrote.
package func runOnTerminal(
    _ name: String, _ arguments: [String], stdin: [UInt8] = [], environment: [String: String] = [:], columns: Int = 80
) async throws -> CommandResult {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try CommandLocation.path(of: name))
    process.arguments = arguments
    // The command must get the width from the terminal.
    process.environment = ProcessInfo.processInfo.environment.merging(["COLUMNS": "", "NO_COLOR": "", "TERM": "xterm"])
    {
        _, new in new
    }.merging(environment) { _, new in new }
    let terminals = try (0..<2).map { _ in try PseudoTerminal(rows: 24, columns: columns) }
    let masters = terminals.map { FileHandle(fileDescriptor: $0.master, closeOnDealloc: true) }
    let slaves = terminals.map { FileHandle(fileDescriptor: $0.slave, closeOnDealloc: true) }
    for terminal in terminals { try terminal.makeRaw() }
    process.standardOutput = slaves[0]
    process.standardError = slaves[1]
    return try await run(process, stdin, masters[0], masters[1]) {
        // The output ends when no program has the terminal open.
        for slave in slaves { try slave.close() }
    }
}

/// Runs a process to its end.
private func run(
    _ process: Process, _ stdin: [UInt8], _ output: FileHandle, _ errors: FileHandle, started: () throws -> Void = {}
) async throws -> CommandResult {
    let input = Pipe()
    process.standardInput = input
    let exit = AsyncStream<CommandExit> { continuation in
        process.terminationHandler = { process in
            continuation.yield(CommandExit(process))
            continuation.finish()
        }
    }
    try process.run()
    try started()

    // All three concurrently: a command that waits for one pipe must not block the others.
    async let stdout = PipeEnd(output).readToEnd()
    async let stderr = PipeEnd(errors).readToEnd()
    await PipeEnd(input.fileHandleForWriting).write(stdin)
    let end = await exit.first { _ in true }
    process.terminationHandler = nil  // breaks a reference cycle
    return CommandResult(
        exitCode: end?.code ?? -1, signal: end?.signal, stdout: await stdout,
        stderr: String(decoding: await stderr, as: UTF8.self))
}

/// Runs a built command as the user `nobody`, to whom file permissions apply. Needs root.
///
/// The command is copied to a temporary folder, because the build folder may be inaccessible to other users.
package func runAsNobody(_ name: String, _ arguments: [String]) async throws -> CommandResult {
    let folder = try TemporaryFolder(permissions: 0o755)
    let copy = folder.path(name)
    // Copied by another process: a program that is open for writing in any process cannot be started, and processes of
    // other tests inherit the descriptors of this process.
    let copying = try await runProgram("/bin/cp", [try CommandLocation.path(of: name), copy])
    guard copying.exitCode == 0 else {
        throw CommandLocation.NotBuilt(description: "cannot copy \(name) to \(folder.path): \(copying.stderr)")
    }
    return try await runProgram(copy, arguments, asUser: "nobody")
}
