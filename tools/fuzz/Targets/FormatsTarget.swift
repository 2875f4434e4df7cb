internal import EventFormats
internal import JSONLines
internal import JSONSchema

/// The formats: a written line can be read back byte for byte, and any other input gives a line or an error.
///
/// An input is a line, or an event in another format, up to its first line feed.
package final class FormatsTarget: FuzzTarget {
    package static let name = "formats"

    private var formats: [any LineFormat]
    private var cloudEvents: any LineFormat
    private var segment: any LineFormat
    private var cloudEventsReader = CloudEventsReader()
    private var segmentReader = SegmentReader()

    /// The number of formats that copy lines without parsing them.
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

    /// All formats accept a line, or none; a rejected line leaves no output.
    private func checkAll(_ line: [UInt8]) throws {
        var taken = 0
        for location in formats.indices {
            var output = Array("before".utf8)
            do {
                try line.withUnsafeBytes { try formats[location].append($0, into: &output) }
                taken += 1
            } catch let error as JSONSyntaxError {
                try require((0...line.count).contains(error.offset), "a line is rejected at an offset outside of it")
                try require(output == Array("before".utf8), "a rejected line leaves output")
            }
            // Tables and batches keep lines until they end.
            formats[location].end(into: &output)
            try require(output.starts(with: "before".utf8), "a format changes what was written before")
        }
        try require([Self.blind, formats.count].contains(taken), "\(taken) of \(formats.count) formats accept a line")
    }

    /// The output of a format, without its line feed; nil if it rejects the line.
    private func written(_ line: [UInt8], _ format: inout any LineFormat) throws -> [UInt8]? {
        var output: [UInt8] = []
        do {
            try line.withUnsafeBytes { try format.append($0, into: &output) }
        } catch is JSONSyntaxError {
            return nil
        }
        format.end(into: &output)
        try require(output.popLast() == UInt8(ascii: "\n"), "an event does not end in a line feed")
        try require(!output.contains(UInt8(ascii: "\n")), "an event has more than one line")
        return output
    }

    private func checkBack(
        _ line: [UInt8], _ format: inout any LineFormat, _ reader: inout some EventReader
    ) throws {
        guard let event = try written(line, &format) else { return }
        do { _ = try JSONDocument(event) } catch { throw FuzzIssue("the output is not JSON: \(error)") }
        var back: [UInt8] = []
        do { try event.withUnsafeBytes { try reader.append($0, into: &back) } } catch {
            throw FuzzIssue("the output cannot be read back: \(error)")
        }
        try require(back == line, "the line that is read back differs")
    }

    /// Foreign input is rejected, or becomes a line that can be written and read back.
    private func checkForeign(
        _ event: [UInt8], _ format: inout any LineFormat, _ reader: inout some EventReader
    ) throws {
        var line = Array("before".utf8)
        do {
            try event.withUnsafeBytes { try reader.append($0, into: &line) }
        } catch let error as JSONSyntaxError {
            try require((0...event.count).contains(error.offset), "an event is rejected at an offset outside of it")
            return try require(line == Array("before".utf8), "a rejected event leaves output")
        }
        line.removeFirst("before".utf8.count)
        try require(!line.contains(UInt8(ascii: "\n")), "an event becomes more than one line")
        do { _ = try JSONDocument(line) } catch { throw FuzzIssue("a line that was read back is not JSON: \(error)") }
        try checkBack(line, &format, &reader)
    }
}
