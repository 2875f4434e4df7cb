internal import CZstd
internal import LogFiles

/// A file of a loader's folder that cannot be read, or differs from its manifest.
struct DamagedFile: Error {
    /// The defect, and what to do. Never has contents of the file.
    let text: String

    init(_ text: String) { self.text = "\(text); restore it and run this again" }
}

/// Files of rows: JSON objects, each with a line feed, compressed with zstd.
enum RowFile {
    static let suffix = ".jsonl.zst"

    /// Reads the rows.
    ///
    /// - Throws: ``DamagedFile``; `LogFileError`, `notFound` or `cannotRead`.
    static func read(_ path: String) throws -> [UInt8] {
        let blocks = try LogFileBlocks(path: path)
        guard blocks.format == .zstd else { throw DamagedFile("is not compressed with zstd") }
        var text: [UInt8] = []
        do {
            while let block = try blocks.next() { text += block }
        } catch let error as LogFileError where [.truncated, .corrupt].contains(error.code) {
            throw DamagedFile("cannot be decompressed")
        }
        return text
    }

    /// Compresses rows.
    ///
    /// - Throws: `LoaderError`.
    static func compress(_ text: [UInt8]) throws(LoaderError) -> [UInt8] {
        let bound = ZSTD_compressBound(text.count)
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: bound) { memory, count in
            let result = ZSTD_compress(memory.baseAddress, bound, text, text.count, 3)
            failed = ZSTD_isError(result) != 0
            count = failed ? 0 : result
        }
        guard !failed else { throw LoaderError(.cannotOpen, "cannot compress rows: out of memory") }
        return bytes
    }
}
