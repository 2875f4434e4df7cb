internal import EventModel
internal import Foundation
internal import JSONLines
internal import LogFiles
internal import TrackingCore
internal import TrackingPlan

/// The line reader: lines are split, read as a file, parsed, read back as containers, and validated against the plan.
///
/// The first byte of an input determines how the rest is split into chunks.
package final class LinesTarget: FuzzTarget {
    package static let name = "lines"

    private var checker: LineChecker
    private let file: ScratchFile

    package init() throws {
        checker = LineChecker(try CompiledPlan(EventPlan(PlanFolder(path: FuzzFiles.schemas.path))))
        file = try ScratchFile()
    }

    package func seeds() throws -> [[UInt8]] {
        try FuzzFiles.files(in: FuzzFiles.schemas.appendingPathComponent("examples"), ending: ".jsonl")
            .map { [7] + (try FuzzFiles.bytes(of: $0)) } + LineSeeds.all
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        guard let cutting = bytes.first else { return }
        let content = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        let whole = lines(content, chunks: [], maximumLength: LogFileReader.maximumLineLength)
        try checkCutting(content, cutting, whole)
        try checkReading(content, whole)
        for case .complete(let line) in whole { try check(line) }
        if case .torn(let line) = whole.last { try check(line) }
    }

    // MARK: Lines

    private func lines(
        _ content: UnsafeRawBufferPointer, chunks: [Int], maximumLength: Int
    ) -> [LineSplitter.Line] {
        var splitter = LineSplitter(maximumLength: maximumLength)
        var lines: [LineSplitter.Line] = []
        var rest = content[...]
        for size in chunks {
            splitter.feed(rest.prefix(size)) { lines.append($0) }
            rest = rest.dropFirst(size)
        }
        splitter.feed(rest) { lines.append($0) }
        splitter.finish { lines.append($0) }
        return lines
    }

    /// The lines, including long ones, do not depend on the chunks.
    private func checkCutting(
        _ content: UnsafeRawBufferPointer, _ cutting: UInt8, _ whole: [LineSplitter.Line]
    ) throws {
        // Sizes from 0 on that no simple rule repeats.
        let sizes = content.indices.prefix(64).map { Int(cutting &* UInt8(truncatingIfNeeded: $0 &* 31)) % 23 }
        try require(
            lines(content, chunks: sizes, maximumLength: LogFileReader.maximumLineLength) == whole,
            "chunks change the lines")
        let longest = Int(cutting)
        try require(
            lines(content, chunks: sizes, maximumLength: longest)
                == whole.map { line in
                    switch line {
                    case .complete(let bytes) where bytes.count > longest: .tooLong
                    case .torn(let bytes) where bytes.count > longest: .tooLong
                    default: line
                    }
                },
            "the limit changes other lines than the long ones")
        var joined: [UInt8] = []
        for case .complete(let line) in whole { joined += line + [UInt8(ascii: "\n")] }
        if case .torn(let line) = whole.last { joined += line }
        try require(content.elementsEqual(joined), "the lines are not the content")
    }

    /// A file with these bytes has these lines, if they are text.
    private func checkReading(_ content: UnsafeRawBufferPointer, _ whole: [LineSplitter.Line]) throws {
        try file.replace(with: content)
        let blocks = try LogFileBlocks(path: file.path)
        let reader = LogFileReader(blocks)
        var lines: [LineSplitter.Line] = []
        do {
            try reader.forEachLine { line, number in
                lines.append(line)
                try require(number == lines.count, "line \(lines.count) is called line \(number)")
            }
        } catch let error as LogFileError {
            try require(blocks.format != .text, "text cannot be read: \(error)")
        }
        if blocks.format == .text { try require(lines == whole, "the file has other lines than its bytes") }
    }

    // MARK: One line

    private func check(_ line: [UInt8]) throws {
        let parsed = try? JSONParser.parse(line)  // the error does not matter here
        if let container = try? RecordedContainer(line: line) {
            try require(container.json == parsed, "the value of a container differs from its line")
            try checkRelabelled(container)
        }
        let result = line.withUnsafeBytes { checker.check($0) }
        let slowly = line.withUnsafeBytes { checker.checkWithFindings($0) }
        try require(result == slowly, "the fast check says \(result.isValid), the slow one \(slowly.findings)")
        guard result.isValid else { return }
        try require(parsed != nil, "a valid line cannot be parsed")
        try require((try? RecordedContainer(line: line)) != nil, "a valid line cannot be read back")
        try require(
            (try? JSONSerialization.jsonObject(with: Data(line))) != nil, "Foundation rejects a valid line")
    }

    /// A line that is copied to another log is the same event.
    private func checkRelabelled(_ container: RecordedContainer) throws {
        let line = container.recordedEvent.relabelled("another", 7)
        let again = try RecordedContainer(line: line)
        try require(
            again.id == container.id && again.time == container.time && again.name == container.name
                && again.installID == "another" && again.seq == 7 && again.json["event"] == container.json["event"],
            "a relabelled line has a different event")
        let isValid = container.line.withUnsafeBytes { checker.validEvent($0) } != nil
        try require(
            !isValid || line.withUnsafeBytes { checker.validEvent($0) } != nil
                || line.count > LineChecker.maximumLength,
            "a valid line is invalid after it was relabelled")
    }
}
