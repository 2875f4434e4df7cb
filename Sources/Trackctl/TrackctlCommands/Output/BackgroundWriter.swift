internal import Dispatch
internal import LogFiles
internal import Primitives

/// Writes large blocks to a descriptor in order on a background thread, so that reading continues meanwhile.
///
/// Use it from one thread.
final class BackgroundWriter {
    /// The maximum number of blocks that are queued or being written.
    private static let blocksAhead = 2

    private let descriptor: Int32
    private let name: String
    private let queue = DispatchQueue(label: "trackctl.output")
    private let room = DispatchSemaphore(value: blocksAhead)
    private let failure = Locked<(any Error)?>(nil)
    private var isBusy = false

    /// - Parameter name: The output's name in messages.
    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { if isBusy { queue.sync {} } }

    /// Queues a block. Waits while the queue is full.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`, if an earlier block could not be written.
    func write(_ block: [UInt8]) throws {
        try check()
        room.wait()
        isBusy = true
        queue.async { [descriptor, name, room, failure] in
            defer { room.signal() }
            // After an error, write nothing more.
            guard failure.withLock({ $0 == nil }) else { return }
            do {
                try block.withUnsafeBytes { try DescriptorBytes.write($0, to: descriptor, name: name) }
            } catch { failure.withLock { $0 = error } }
        }
    }

    /// Waits until all blocks are written.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`, if a block could not be written.
    func finish() throws {
        guard isBusy else { return }
        queue.sync {}
        isBusy = false
        try check()
    }

    private func check() throws {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
