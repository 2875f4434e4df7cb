package import Foundation

/// The batches that a collector accepted, in a file that several processes append to. Each acceptance is a line written
/// by a single call, so a kill leaves either all of it or nothing.
package final class CollectorLog {
    /// An accepted batch.
    package struct Acceptance: Codable {
        /// The batch's id.
        package let id: String
        /// The batch's checksum.
        package let checksum: UInt64
        /// The numbers of the accepted events.
        package let seqs: [ClosedRange<Int64>]

        /// Creates an acceptance.
        package init(id: String, checksum: UInt64, seqs: [Int64]) {
            self.id = id
            self.checksum = checksum
            self.seqs = IndexSet(seqs.map(Int.init)).rangeView.map { Int64($0.lowerBound)...Int64($0.upperBound - 1) }
        }
    }

    private let handle: FileHandle
    private var rest = Data()

    /// Opens or creates the file.
    ///
    /// - Throws: If the file cannot be opened.
    package init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Runs `body` while no other process uses the file.
    package func exclusively<T>(_ body: () throws -> T) throws -> T {
        while flock(handle.fileDescriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
        defer { flock(handle.fileDescriptor, LOCK_UN) }
        return try body()
    }

    /// The lines added since the last call, by any process.
    package func news() throws -> [Acceptance] {
        rest += try handle.readToEnd() ?? Data()
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = Data(lines.removeLast())
        return try lines.map { try JSONDecoder().decode(Acceptance.self, from: $0) }
    }

    /// Records that a batch was accepted.
    package func add(_ acceptance: Acceptance) throws {
        // Appending keeps the position of the next read.
        let location = try handle.offset()
        try handle.write(contentsOf: try JSONEncoder().encode(acceptance) + [UInt8(ascii: "\n")])
        try handle.seek(toOffset: location)
    }
}
