internal import Foundation
internal import JSONLines
internal import LogFiles

/// Erases a user's lines from a file of lines, plain or gzip. Other lines keep their bytes and order.
struct LineFileErasure {
    private let rule: ErasureRule

    init(_ rule: ErasureRule) { self.rule = rule }

    /// Reports what would be erased. Errors of reading are in the result's `issue`.
    ///
    /// - Throws: ``LogFileError``, `notFound`, if the file does not exist.
    func examine(_ file: LineFile) throws -> ErasedLocation { try pass(file, through: nil, upTo: nil).result }

    /// Rewrites a file without the user's lines, if it has any.
    ///
    /// - Parameter length: The delivered length of a sink's open file. Lines after it belong to an interrupted
    ///   delivery and are removed, too, as the sink's next delivery would do. Nil for the whole file.
    /// - Throws: ``LogFileError``, or ``LogMaintenanceError``, `interrupted`; the file is then unchanged.
    func erase(_ file: LineFile, deliveredBytes length: Int64? = nil) throws -> ErasedLocation {
        let (found, format) = try pass(file, through: nil, upTo: nil)
        guard found.removed > 0, found.issue == nil else { return found }
        let writer = try LogFileWriter(replacing: file.path, format: format)
        let result = try pass(file, through: writer, upTo: length).result
        // The file became unreadable since the first pass: keep it unchanged.
        guard result.issue == nil else { return result }
        try writer.finish()
        return result
    }

    private func pass(
        _ file: LineFile, through writer: LogFileWriter?, upTo length: Int64?
    ) throws -> (result: ErasedLocation, format: LogFileFormat) {
        var result = ErasedLocation(file.path, isDatabase: false)
        var format = LogFileFormat.text
        do {
            let blocks = try LogFileBlocks(path: file.path)
            format = blocks.format
            if format == .sqlite {
                result.issue = "a database with the name of a file of lines"
            } else {
                try pass(LogFileReader(blocks), of: file, through: writer, upTo: length, into: &result)
            }
        } catch let error as LogFileError where [.truncated, .corrupt, .cannotRead].contains(error.code) {
            result.issue = error.message
        }
        if format == .zstd, result.removed > 0, result.issue == nil {
            result.issue = "compressed with zstd: decompress it, and run this again"
        }
        if result.issue != nil {
            result.removed = 0
            result.bytes = 0
        }
        return (result, format)
    }

    private func pass(
        _ reader: LogFileReader, of file: LineFile, through writer: LogFileWriter?, upTo length: Int64?,
        into result: inout ErasedLocation
    ) throws {
        var offset: Int64 = 0
        while let (line, number) = try reader.next() {
            try LogMaintenanceError.checkInterruption()
            let (bytes, isComplete): ([UInt8], Bool)
            switch line {
            case .complete(let line):
                bytes = line
                isComplete = true
            case .torn(let line):
                bytes = line
                isComplete = false
            case .tooLong:
                result.issue = "line \(number) is longer than \(LogFileReader.maximumLineLength >> 20) MiB"
                return
            }
            offset += Int64(bytes.count) + (isComplete ? 1 : 0)
            let fate = bytes.withUnsafeBytes { rule.fate(of: $0, isRecording: file.role == .recording) }
            result.count(fate, Int64(number), bytes: bytes.count + 1)
            guard let writer, fate != .goes, offset <= length ?? .max else { continue }
            try writer.write(bytes)
            if isComplete { try writer.write(CollectionOfOne(UInt8(ascii: "\n"))) }
        }
    }
}
