internal import Foundation
internal import JSONLines
internal import LogFiles

/// Takes a user's lines out of a file of lines, plain or packed; all others keep their bytes and their order.
struct LineFileErasure {
    private let matcher: UserMatcher
    private let removesMentions: Bool

    init(_ matcher: UserMatcher, removesMentions: Bool) {
        self.matcher = matcher
        self.removesMentions = removesMentions
    }

    /// Looks what would go.
    ///
    /// - Throws: ``LogFileError`` for a file that cannot be opened.
    func examine(_ file: LineFile) throws -> ErasedPlace { try pass(file, through: nil, upTo: nil).result }

    /// Writes a file anew without the user's lines, if it has any.
    ///
    /// - Parameter length: How much of a sink's open file was delivered; lines behind it are a delivery that was cut
    ///   short. They go, too, as the sink's next flush would cut them off and write them again. Nil for all of it.
    /// - Throws: ``LogFileError``, or ``LogCareError``, `interrupted`; then the file is as it was.
    func erase(_ file: LineFile, deliveredBytes length: Int64? = nil) throws -> ErasedPlace {
        let (found, format) = try pass(file, through: nil, upTo: nil)
        guard found.removed > 0, found.fault == nil else { return found }
        let writer = try LogFileWriter(replacing: file.path, format: format)
        let result = try pass(file, through: writer, upTo: length).result
        try writer.finish()
        return result
    }

    private func pass(
        _ file: LineFile, through writer: LogFileWriter?, upTo length: Int64?
    ) throws -> (result: ErasedPlace, format: LogFileFormat) {
        let blocks = try LogFileBlocks(path: file.path)
        var result = ErasedPlace(file.path, isDatabase: false)
        guard blocks.format != .sqlite else {
            result.fault = "it is a database with the name of a file of lines"
            return (result, blocks.format)
        }
        let reader = LogFileReader(blocks)
        var offset: Int64 = 0
        do {
            while let (line, number) = try reader.next() {
                try LogCareError.checkInterruption()
                let (bytes, isComplete): ([UInt8], Bool)
                switch line {
                case .complete(let line): (bytes, isComplete) = (line, true)
                case .torn(let line): (bytes, isComplete) = (line, false)
                case .tooLong:
                    result.fault = "line \(number) is longer than \(LogFileReader.maximumLineLength >> 20) MiB"
                    return (result, blocks.format)
                }
                offset += Int64(bytes.count) + (isComplete ? 1 : 0)
                if remove(bytes, number, isRecording: file.role == .recording, &result) { continue }
                guard let writer, offset <= length ?? .max else { continue }
                try writer.write(bytes)
                if isComplete { try writer.write(CollectionOfOne(UInt8(ascii: "\n"))) }
            }
        } catch let error as LogFileError where error.code == .truncated || error.code == .corrupt {
            result.fault = error.message
        }
        return (result, blocks.format)
    }

    private func remove(_ line: [UInt8], _ number: Int, isRecording: Bool, _ result: inout ErasedPlace) -> Bool {
        switch line.withUnsafeBytes({ matcher.verdict($0, isRecording: isRecording) }) {
        case .other: return false
        case .mention where !removesMentions:
            result.addMention(Int64(number))
            return false
        case .mention, .theirs:
            result.removed += 1
            result.bytes += Int64(line.count) + 1
            return true
        }
    }
}
