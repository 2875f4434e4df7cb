internal import EventModel
internal import Foundation
package import JSONLines
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
    /// - Parameter location: Where letters of it may stand that an earlier run has added; nil if there are none. What is
    ///   there is not added again.
    /// - Returns: Where letters of the events that come next may stand.
    /// - Throws: As ``end()``.
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

/// Looks for letters that an earlier run has put aside, of a batch that it had not done when it ended.
struct DeadLetterSearch {
    /// Open for reading.
    let descriptor: Int32
    /// The file, as messages name it.
    let name: String

    /// How many lines of a batch have their letters from a place on. A batch is put aside in its order, so that these are
    /// its first lines; letters of other lanes and other replays may stand between them.
    ///
    /// - Returns: How many, and behind the letter of the last one.
    /// - Throws: `LogFileError`, `cannotWrite`.
    func letters(of batch: ReplayBatch, from location: Int64) throws -> (count: Int, end: Int64) {
        var splitter = LineSplitter(maximumLength: .max)
        var block = [UInt8](repeating: 0, count: 64 << 10)
        var (count, end) = (0, location)
        var (readTo, lineStart) = (location, location)
        while count < batch.count {
            let read = pread(descriptor, &block, block.count, off_t(readTo))
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw LogFileError.writing(name, errno) }
            guard read > 0 else { break }
            readTo += Int64(read)
            splitter.feed(block[..<read]) { line in
                guard case .complete(let letter) = line else { return }
                lineStart += Int64(letter.count) + 1
                // What is no letter is not ours.
                guard count < batch.count, (try? DeadLetter.line(of: letter)).map(ArraySlice.init) == batch.line(count)
                else { return }
                (count, end) = (count + 1, lineStart)
            }
        }
        return (count, end)
    }
}

/// An event that was refused, as a line of a file of dead letters.
///
/// ```
/// {"line":"{…}","reason":"…","status":400,"attempts":1,"batch":"9f86…","time":1536753247.351338}
/// ```
///
/// A line that is not UTF-8 stands as `line_base64`.
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
    /// - Throws: `JSONSyntaxError` for what is no dead letter.
    package static func line(of letter: some Sequence<UInt8>) throws(JSONSyntaxError) -> [UInt8] {
        let json = try JSONParser.parse(letter)
        if let line = json["line"]?.stringValue { return Array(line.utf8) }
        if let line = json["line_base64"]?.stringValue.flatMap({ Data(base64Encoded: $0) }) { return [UInt8](line) }
        throw JSONSyntaxError(offset: 0, reason: "not a dead letter: 'line' is missing or of the wrong type")
    }
}
