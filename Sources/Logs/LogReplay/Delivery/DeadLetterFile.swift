internal import EventModel
internal import Foundation
package import JSONLines
internal import LogFiles

/// A file of rejected events, one JSON line each. It is created with the first of them, and only appended to.
package actor DeadLetterFile {
    package nonisolated let path: String
    private var descriptor: Int32 = -1

    /// Plans a file. It is opened with the first dead letter.
    package init(path: String) { self.path = path }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The offset of the next dead letter, in bytes.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; ``ReplayError``, `notOurs`, if the file has other content.
    func end() throws -> Int64 {
        let end = lseek(try opened(), 0, SEEK_END)
        guard end >= 0 else { throw LogFileError.writing(path, errno) }
        return Int64(end)
    }

    /// Appends the events of a batch, and syncs the file.
    ///
    /// - Parameter location: The offset from which an earlier run may have written dead letters of the batch; nil if
    ///   it has none. Existing ones are not written again.
    /// - Returns: The offset from which dead letters of the next events may exist.
    /// - Throws: See ``end()``.
    func append(
        _ batch: ReplayBatch, reason: SinkReason, attempts: Int, time: EventTime, from location: Int64?
    ) throws -> Int64? {
        let descriptor = try opened()
        let present = try location.map {
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

    /// Rejects a file with other content: it must start like a dead letter, or like a part of one.
    private func checkStart(_ descriptor: Int32) throws {
        var start = [UInt8](repeating: 0, count: Self.start.count)
        let count = pread(descriptor, &start, start.count, 0)
        guard count >= 0 else { throw LogFileError.writing(path, errno) }
        guard start[..<count].elementsEqual(Self.start.prefix(count)) else {
            throw ReplayError(.notOurs, "\(path) has content other than dead letters: choose another file")
        }
    }

    /// Removes the incomplete dead letter of a killed run. Its batch is not done, so the dead letter is written
    /// again.
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
            throw ReplayError(.notOurs, "\(path) ends in a line that is not a dead letter: choose another file")
        }
        guard ftruncate(descriptor, start + off_t(lineStart)) == 0 else { throw LogFileError.writing(path, errno) }
    }

    private static let start = Array(#"{"line"#.utf8)
}

/// Finds dead letters that an earlier run has written for an unfinished batch.
struct DeadLetterSearch {
    /// Open for reading.
    let descriptor: Int32
    /// The file's name in messages.
    let name: String

    /// Counts the first lines of a batch that have dead letters after an offset. They are in batch order; dead
    /// letters of other lanes and replays may be between them.
    ///
    /// - Returns: The count, and the offset after the last of these dead letters.
    /// - Throws: `LogFileError`, `cannotWrite`.
    func letters(of batch: ReplayBatch, from location: Int64) throws -> (count: Int, end: Int64) {
        var splitter = LineSplitter(maximumLength: .max)
        var block = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        var end = location
        var readTo = location
        var lineStart = location
        while count < batch.count {
            let read = pread(descriptor, &block, block.count, off_t(readTo))
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw LogFileError.writing(name, errno) }
            guard read > 0 else { break }
            readTo += Int64(read)
            splitter.feed(block[..<read]) { line in
                guard case .complete(let letter) = line else { return }
                lineStart += Int64(letter.count) + 1
                // Lines that are not dead letters of this batch don't count.
                guard count < batch.count, (try? DeadLetter.line(of: letter)).map(ArraySlice.init) == batch.line(count)
                else { return }
                count += 1
                end = lineStart
            }
        }
        return (count, end)
    }
}

/// The format of dead letters: a rejected event as a JSON line.
///
/// ```
/// {"line":"{…}","reason":"…","status":400,"attempts":1,"batch":"9f86…","time":1536753247.351338}
/// ```
///
/// A line that is not valid UTF-8 is stored as `line_base64`.
package enum DeadLetter {
    static func write(
        _ line: ArraySlice<UInt8>, reason: SinkReason, attempts: Int, batch: String, time: EventTime
    ) -> [UInt8] {
        var json = JSONWriter(capacity: line.count + line.count / 8 + 256)
        json.beginObject()
        if let text = String(validating: line, as: UTF8.self) {
            json.key("line")
            json.string(text)
        } else {
            json.key("line_base64")
            json.string(Data(line).base64EncodedString())
        }
        json.key("reason")
        json.string(reason.text)
        if let status = reason.status {
            json.key("status")
            json.integer(status)
        }
        json.key("attempts")
        json.integer(attempts)
        json.key("batch")
        json.string(batch)
        json.key("time")
        json.seconds(microseconds: time.microseconds)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The exact bytes of the event's line.
    ///
    /// - Throws: `JSONSyntaxError` if the line is not a dead letter.
    package static func line(of letter: some Sequence<UInt8>) throws(JSONSyntaxError) -> [UInt8] {
        let json = try JSONParser.parse(letter)
        if let line = json["line"]?.stringValue { return Array(line.utf8) }
        if let line = json["line_base64"]?.stringValue.flatMap({ Data(base64Encoded: $0) }) { return [UInt8](line) }
        throw JSONSyntaxError(offset: 0, reason: "not a dead letter: 'line' is missing or of the wrong type")
    }
}
