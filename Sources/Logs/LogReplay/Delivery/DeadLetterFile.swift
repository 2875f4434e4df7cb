internal import EventLog
internal import EventModel
internal import Foundation
internal import LogFiles

/// The file that refused events go to, one JSON line each. It is made when the first one comes, and only ever added to.
package actor DeadLetterFile {
    /// Its path.
    package nonisolated let path: String
    private var descriptor: Int32 = -1

    /// Plans a file. Nothing is opened before the first letter.
    package init(path: String) { self.path = path }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Where the next letter goes, in bytes.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; ``ReplayError``, `notOurs`, if the file holds something else.
    func end() throws -> Int64 {
        let end = lseek(try opened(), 0, SEEK_END)
        guard end >= 0 else { throw LogFileError.writing(path, errno) }
        return Int64(end)
    }

    /// Adds the events of a batch, and brings them to the disk.
    ///
    /// - Parameter place: Where letters of it may stand that an earlier run has added; nil if there are none. What is
    ///   there is not added again.
    /// - Returns: Where letters of the events that come next may stand.
    /// - Throws: As ``end()``.
    func append(
        _ batch: ReplayBatch, reason: SinkReason, attempts: Int, time: EventTime, from place: Int64?
    ) throws -> Int64? {
        let descriptor = try opened()
        let present = try place.map {
            try DeadLetterSearch(descriptor: descriptor, name: path).letters(of: batch, from: $0)
        }
        let id = batch.id
        var letters: [UInt8] = []
        for index in (present?.count ?? 0)..<batch.count {
            letters += DeadLetter.write(batch.line(index), reason: reason, attempts: attempts, batch: id, time: time)
        }
        try letters.withUnsafeBytes { try DescriptorBytes.write($0, to: descriptor, name: path) }
        guard fsync(descriptor) == 0 else { throw LogFileError.writing(path, errno) }
        return present?.end
    }

    private func opened() throws -> Int32 {
        if descriptor >= 0 { return descriptor }
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw LogFileError.writing(path, errno) }
        do {
            try checkStart(descriptor)
            try cutTornLetter(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        return descriptor
    }

    /// A file of something else is left alone: what is there begins as a letter does, or as the first half of one.
    private func checkStart(_ descriptor: Int32) throws {
        var start = [UInt8](repeating: 0, count: Self.start.count)
        let count = pread(descriptor, &start, start.count, 0)
        guard count >= 0 else { throw LogFileError.writing(path, errno) }
        guard start[..<count].elementsEqual(Self.start.prefix(count)) else {
            throw ReplayError(.notOurs, "\(path) holds something other than dead letters: name another file")
        }
    }

    /// Cuts off what a run that was killed wrote of a letter; its batch was not done, so that letter comes again.
    private func cutTornLetter(_ descriptor: Int32) throws {
        var tail: [UInt8] = []
        var start = lseek(descriptor, 0, SEEK_END)
        while start > 0, !tail.contains(UInt8(ascii: "\n")) {
            let count = min(start, 64 << 10)
            start -= count
            var block = [UInt8](repeating: 0, count: Int(count))
            guard pread(descriptor, &block, block.count, start) == block.count else {
                throw LogFileError.writing(path, errno)
            }
            tail = block + tail
        }
        let lineStart = tail.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let torn = tail[lineStart...]
        guard !torn.isEmpty else { return }
        guard torn.prefix(Self.start.count).elementsEqual(Self.start.prefix(torn.count)) else {
            throw ReplayError(.notOurs, "\(path) ends inside a line that is no dead letter: name another file")
        }
        guard ftruncate(descriptor, start + off_t(lineStart)) == 0 else { throw LogFileError.writing(path, errno) }
    }

    private static let start = Array(#"{"line"#.utf8)
}
