internal import Foundation
internal import JSONLines
internal import LogFiles

/// Takes a user's lines out of a file of lines, plain or packed with gzip; all others keep their bytes and their order.
struct LineFileErasure {
    private let rule: ErasureRule

    init(_ rule: ErasureRule) { self.rule = rule }

    /// Looks what would go. What cannot be read is the place's fault.
    ///
    /// - Throws: ``LogFileError``, `notFound`, if there is no such file.
    func examine(_ file: LineFile) throws -> ErasedLocation { try pass(file, through: nil, upTo: nil).result }

    /// Writes a file anew without the user's lines, if it has any.
    ///
    /// - Parameter length: How much of a sink's open file was delivered; lines behind it are a delivery that was cut
    ///   short. They go, too, as the sink's next flush would cut them off and write them again. Nil for all of it.
    /// - Throws: ``LogFileError``, or ``LogMaintenanceError``, `interrupted`; then the file is as it was.
    func erase(_ file: LineFile, deliveredBytes length: Int64? = nil) throws -> ErasedLocation {
        let (found, format) = try pass(file, through: nil, upTo: nil)
        guard found.removed > 0, found.issue == nil else { return found }
        let writer = try LogFileWriter(replacing: file.path, format: format)
        let result = try pass(file, through: writer, upTo: length).result
        // It was read to its end a moment ago; now it stands as it stood.
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
                result.issue = "it is a database with the name of a file of lines"
            } else {
                try pass(LogFileReader(blocks), file, through: writer, upTo: length, &result)
            }
        } catch let error as LogFileError where [.truncated, .corrupt, .cannotRead].contains(error.code) {
            result.issue = error.message
        }
        if format == .zstd, result.removed > 0, result.issue == nil {
            result.issue = "it is packed with zstd: unpack it, and run this again"
        }
        if result.issue != nil { (result.removed, result.bytes) = (0, 0) }
        return (result, format)
    }

    private func pass(
        _ reader: LogFileReader, _ file: LineFile, through writer: LogFileWriter?, upTo length: Int64?,
        _ result: inout ErasedLocation
    ) throws {
        var offset: Int64 = 0
        while let (line, number) = try reader.next() {
            try LogMaintenanceError.checkInterruption()
            let (bytes, isComplete): ([UInt8], Bool)
            switch line {
            case .complete(let line): (bytes, isComplete) = (line, true)
            case .torn(let line): (bytes, isComplete) = (line, false)
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
