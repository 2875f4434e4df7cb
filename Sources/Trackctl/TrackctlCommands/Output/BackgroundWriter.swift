internal import Dispatch
internal import LogFiles
internal import Primitives

/// Writes large blocks to a descriptor on a thread of its own, in their order, so that the next block is read meanwhile.
///
/// Use it from one thread.
final class BackgroundWriter {
    /// Blocks that wait or are being written, at most.
    private static let blocksAhead = 2

    private let descriptor: Int32
    private let name: String
    private let queue = DispatchQueue(label: "trackctl.output")
    private let room = DispatchSemaphore(value: blocksAhead)
    private let failure = Locked<(any Error)?>(nil)
    private var isBusy = false

    /// - Parameter name: What messages call the output.
    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { if isBusy { queue.sync {} } }

    /// Writes a block as soon as those before it are written. Waits while too many are not.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`, if a block before could not be written.
    func write(_ block: [UInt8]) throws {
        try check()
        room.wait()
        isBusy = true
        queue.async { [descriptor, name, room, failure] in
            defer { room.signal() }
            // Nothing is written behind a gap.
            guard failure.withLock({ $0 == nil }) else { return }
            do {
                try block.withUnsafeBytes { try DescriptorBytes.write($0, to: descriptor, name: name) }
            } catch { failure.withLock { $0 = error } }
        }
    }

    /// Returns when all blocks are written.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`, if one could not be.
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
