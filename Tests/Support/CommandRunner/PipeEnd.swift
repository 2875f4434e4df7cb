internal import Foundation

/// Our end of a pipe. Each transfer has a thread of its own, so none blocks another or the tests' threads.
struct PipeEnd: Sendable {
    private let handle: FileHandle

    init(_ handle: FileHandle) { self.handle = handle }

    /// Everything up to the end of the pipe, which is closed then.
    func readToEnd() async -> [UInt8] {
        await onOwnThread {
            var bytes: [UInt8] = []
            while case let block = nextBlock(), !block.isEmpty { bytes += block }
            try? handle.close()  // nothing is buffered
            return bytes
        }
    }

    /// The lines as they come, up to the end of the pipe; what has no line feed there is the last one. For one reader.
    ///
    /// - Parameter noted: Called with each line, on the thread that reads.
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

    /// Writes all of it, or as much as the reader takes before it closes the pipe, and closes it.
    func write(_ bytes: [UInt8]) async { for await _ in startWriting(bytes) {} }

    /// Begins to write all of it, on a thread that runs already.
    ///
    /// - Returns: Nothing, which ends when everything is written or the reader wants no more.
    func startWriting(_ bytes: [UInt8]) -> AsyncStream<Never> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                // Kept to this thread, so that a reader that ends early does not end the tests.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                try? handle.write(contentsOf: Data(bytes))  // lost: what the reader did not want
                try? handle.close()  // nothing is buffered
                continuation.finish()
            }
        }
    }

    /// What the pipe holds, waited for; nothing at its end, or when it is broken.
    ///
    /// `FileHandle` ends the process, or loses what is there, when a signal interrupts it.
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
