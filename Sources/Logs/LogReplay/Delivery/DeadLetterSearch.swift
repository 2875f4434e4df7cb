internal import Foundation
internal import JSONLines
internal import LogFiles

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
    func letters(of batch: ReplayBatch, from place: Int64) throws -> (count: Int, end: Int64) {
        var splitter = LineSplitter(maximumLength: .max)
        var block = [UInt8](repeating: 0, count: 64 << 10)
        var (count, end) = (0, place)
        var (readTo, lineStart) = (place, place)
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
