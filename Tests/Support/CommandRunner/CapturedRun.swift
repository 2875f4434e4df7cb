internal import Foundation

/// Runs a command within this process, with a standard input, output and error of its own.
///
/// - Parameters:
///   - stdin: What the command reads from standard input, through a pipe.
///   - body: Runs the command on the three descriptors and returns its exit code. The descriptors are open until it
///     returns.
/// - Returns: The exit code and the two outputs.
/// - Throws: An error of making the pipe or a temporary file.
package func captureRun(
    stdin: [UInt8] = [], _ body: (_ input: Int32, _ output: Int32, _ error: Int32) async -> Int32
) async throws -> CommandResult {
    let (output, errors, input) = (try CapturedOutput(), try CapturedOutput(), Pipe())
    // A task of its own would wait for a thread that such a command blocks.
    let writing = PipeEnd(input.fileHandleForWriting).startWriting(stdin)
    let code = await body(input.fileHandleForReading.fileDescriptor, output.descriptor, errors.descriptor)
    // What the command did not read must not keep the writer waiting.
    try input.fileHandleForReading.close()
    for await _ in writing {}
    return CommandResult(
        exitCode: code, signal: nil, stdout: try output.bytes(),
        stderr: String(decoding: try errors.bytes(), as: UTF8.self))
}

/// A file without a name that takes an output: nothing must read it while the command writes.
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

    /// All that was written.
    func bytes() throws -> [UInt8] {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        try handle.seek(toOffset: 0)
        return [UInt8](try handle.readToEnd() ?? Data())
    }
}
