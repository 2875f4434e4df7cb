internal import EventFormats
internal import JSONLines
internal import JSONSchema

/// The formats: what is written of a line can be read back byte for byte, and whatever else is read back gives a line or
/// an error.
///
/// An input is a line, or an event in another format, up to its first line feed.
package final class FormatsTarget: FuzzTarget {
    package static let name = "formats"

    private var formats: [any LineFormat]
    private var cloudEvents: any LineFormat
    private var segment: any LineFormat
    private var cloudEventsReader = CloudEventsReader()
    private var segmentReader = SegmentReader()

    /// Lines as they are, and the same with separators, are not looked at.
    private static let blind = 2

    package init() throws {
        var narrow = FormatOptions()
        narrow.fields = try Field.list("time,event.value.*,event.name,event.value.labels[0]")
        narrow.redactions = [try RedactionRule("user_id=hash"), try RedactionRule("event.value.*.x=drop")]
        var columns = FormatOptions()
        columns.fields = try Field.list("time:date,seq:json,event.value:pairs,event.value.page")
        columns.isSpreadsheetSafe = true
        formats =
            try OutputFormat.allCases.map { try $0.lineFormat(FormatOptions()) }
            + [OutputFormat.jsonl.lineFormat(narrow), OutputFormat.csv.lineFormat(columns)]
            + [OutputFormat.lineFormat(of: Template("%{time:rfc3339} %{event.value.page:-none}\\n"), FormatOptions())]
        cloudEvents = try OutputFormat.cloudEvents.lineFormat(FormatOptions())
        segment = try OutputFormat.segment.lineFormat(FormatOptions())
    }

    package func seeds() throws -> [[UInt8]] {
        let lines = try LineSeeds.lines()
        return try lines
            + lines.prefix(60).flatMap { line in
                try [written(line, &cloudEvents), written(line, &segment)].compactMap { $0 }
            }
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
        try checkAll(line)
        try checkBack(line, &cloudEvents, &cloudEventsReader)
        try checkBack(line, &segment, &segmentReader)
        try checkForeign(line, &cloudEvents, &cloudEventsReader)
        try checkForeign(line, &segment, &segmentReader)
    }

    /// Either every format takes a line, or none; what is refused leaves nothing behind.
    private func checkAll(_ line: [UInt8]) throws {
        var taken = 0
        for location in formats.indices {
            var output = Array("before".utf8)
            do {
                try line.withUnsafeBytes { try formats[location].append($0, into: &output) }
                taken += 1
            } catch let error as JSONSyntaxError {
                try require((0...line.count).contains(error.offset), "a line is refused at no place in it")
                try require(output == Array("before".utf8), "a line that is refused leaves something behind")
            }
            // Tables and batches keep lines until they end.
            formats[location].end(into: &output)
            try require(output.starts(with: "before".utf8), "a format changes what was written before")
        }
        try require([Self.blind, formats.count].contains(taken), "\(taken) of \(formats.count) formats take a line")
    }

    /// What a format makes of a line, without its line feed; nil if it refuses the line.
    private func written(_ line: [UInt8], _ format: inout any LineFormat) throws -> [UInt8]? {
        var output: [UInt8] = []
        do {
            try line.withUnsafeBytes { try format.append($0, into: &output) }
        } catch is JSONSyntaxError {
            return nil
        }
        format.end(into: &output)
        try require(output.popLast() == UInt8(ascii: "\n"), "an event does not end in a line feed")
        try require(!output.contains(UInt8(ascii: "\n")), "an event takes more than one line")
        return output
    }

    private func checkBack(
        _ line: [UInt8], _ format: inout any LineFormat, _ reader: inout some EventReader
    ) throws {
        guard let event = try written(line, &format) else { return }
        do { _ = try JSONDocument(event) } catch { throw FuzzIssue("what is written is no JSON: \(error)") }
        var back: [UInt8] = []
        do { try event.withUnsafeBytes { try reader.append($0, into: &back) } } catch {
            throw FuzzIssue("what is written cannot be read back: \(error)")
        }
        try require(back == line, "what is read back is another line")
    }

    /// What came from elsewhere is refused, or is a line that itself can be written and read back.
    private func checkForeign(
        _ event: [UInt8], _ format: inout any LineFormat, _ reader: inout some EventReader
    ) throws {
        var line = Array("before".utf8)
        do {
            try event.withUnsafeBytes { try reader.append($0, into: &line) }
        } catch let error as JSONSyntaxError {
            try require((0...event.count).contains(error.offset), "an event is refused at no place in it")
            return try require(line == Array("before".utf8), "an event that is refused leaves something behind")
        }
        line.removeFirst("before".utf8.count)
        try require(!line.contains(UInt8(ascii: "\n")), "an event becomes more than one line")
        do { _ = try JSONDocument(line) } catch { throw FuzzIssue("a line that was read back is no JSON: \(error)") }
        try checkBack(line, &format, &reader)
    }
}
