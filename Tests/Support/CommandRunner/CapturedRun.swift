internal import Foundation

/// Runs a command in this process, with its own standard input, output and error.
///
/// - Parameters:
///   - stdin: The standard input of the command, which it reads through a pipe.
///   - body: Runs the command with the three descriptors and returns its exit code. The descriptors are open until it
///     returns.
/// - Returns: The exit code and the two outputs.
/// - Throws: An error from creating the pipe or a temporary file.
package func captureRun(
    stdin: [UInt8] = [], _ body: (_ input: Int32, _ output: Int32, _ error: Int32) async -> Int32
) async throws -> CommandResult {
    let (output, errors, input) = (try CapturedOutput(), try CapturedOutput(), Pipe())
    // A separate task would wait for a thread that such a command may block.
    let writing = PipeEnd(input.fileHandleForWriting).startWriting(stdin)
    let code = await body(input.fileHandleForReading.fileDescriptor, output.descriptor, errors.descriptor)
    // Unread input must not block the writer.
    try input.fileHandleForReading.close()
    for await _ in writing {}
    return CommandResult(
        exitCode: code, signal: nil, stdout: try output.bytes(),
        stderr: String(decoding: try errors.bytes(), as: UTF8.self))
}

/// An unlinked file that receives an output, so that nothing has to read it while the command writes.
private final class CapturedOutput: Sendable {
    let descriptor: Int32

    init() throws {
        var path = Array("\(FileManager.default.temporaryDirectory.path)/output-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// All written bytes.
    func bytes() throws -> [UInt8] {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        try handle.seek(toOffset: 0)
        return [UInt8](try handle.readToEnd() ?? Data())
    }
}
