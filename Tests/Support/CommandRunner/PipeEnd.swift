internal import Foundation

/// This process's end of a pipe. Each transfer runs on its own thread, so it blocks neither other transfers nor the
/// tests' threads.
struct PipeEnd: Sendable {
    private let handle: FileHandle

    init(_ handle: FileHandle) { self.handle = handle }

    /// Reads everything up to the end of the pipe, then closes it.
    func readToEnd() async -> [UInt8] {
        await onOwnThread {
            var bytes: [UInt8] = []
            while case let block = nextBlock(), !block.isEmpty { bytes += block }
            try? handle.close()  // nothing is buffered
            return bytes
        }
    }

    /// The lines as they arrive, up to the end of the pipe. A last line without a line feed counts. For one reader.
    ///
    /// - Parameter noted: Called with each line, on the reading thread.
    func lines(noted: @escaping @Sendable () -> Void = {}) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                var rest = Data()
                while case let block = nextBlock(), !block.isEmpty {
                    rest += block
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        noted()
                        rest = Data(rest[(end + 1)...])
                    }
                }
                try? handle.close()  // nothing is buffered
                if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
                continuation.finish()
            }
        }
    }

    /// Writes all bytes, or as many as the reader accepts before it closes the pipe; then closes it.
    func write(_ bytes: [UInt8]) async { for await _ in startWriting(bytes) {} }

    /// Starts to write all bytes, on a thread that is already running.
    ///
    /// - Returns: An empty stream that ends when everything is written or the reader has closed the pipe.
    func startWriting(_ bytes: [UInt8]) -> AsyncStream<Never> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                // Blocked on this thread, so that a reader that ends early does not end the tests.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                try? handle.write(contentsOf: Data(bytes))  // the reader may close early
                try? handle.close()  // nothing is buffered
                continuation.finish()
            }
        }
    }

    /// Waits for the contents of the pipe; empty at its end, or if it is broken.
    ///
    /// `FileHandle` ends the process, or loses data, when a signal interrupts it.
    private func nextBlock() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { memory, count in
            var result = -1
            repeat {
                result = read(handle.fileDescriptor, memory.baseAddress, memory.count)
            } while result < 0 && errno == EINTR
            count = max(result, 0)
        }
    }

    private func onOwnThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
