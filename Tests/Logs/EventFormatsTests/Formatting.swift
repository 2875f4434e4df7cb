import EventFormats
import Foundation
import Testing

/// Writes lines in a format, from the first byte to the last.
func formatted(_ lines: [String], _ format: any LineFormat) throws -> String {
    var format = format
    var output: [UInt8] = []
    format.begin(into: &output)
    for line in lines { try append(line, to: &format, &output) }
    format.end(into: &output)
    return String(decoding: output, as: UTF8.self)
}

/// Writes lines in a format, with options.
func formatted(
    _ lines: [String], _ format: OutputFormat, _ choose: (inout FormatOptions) throws -> Void = { _ in }
) throws -> String {
    var options = FormatOptions()
    try choose(&options)
    return try formatted(lines, format.lineFormat(options))
}

/// Appends one line.
func append(_ line: String, to format: inout any LineFormat, _ output: inout [UInt8]) throws {
    try Array(line.utf8).withUnsafeBytes { try format.append($0, into: &output) }
}

/// Reads a CloudEvent back.
func fromCloudEvents(_ event: some StringProtocol) throws -> String {
    var reader = CloudEventsReader()
    var line: [UInt8] = []
    try Array(event.utf8).withUnsafeBytes { try reader.append($0, into: &line) }
    return String(decoding: line, as: UTF8.self)
}

/// Reads a message of Segment back.
func fromSegment(_ message: some StringProtocol) throws -> String {
    var reader = SegmentReader()
    var line: [UInt8] = []
    try Array(message.utf8).withUnsafeBytes { try reader.append($0, into: &line) }
    return String(decoding: line, as: UTF8.self)
}

/// The files in Golden.
enum Golden {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden")

    /// The rich lines that every format is shown with.
    static var lines: [String] {
        get throws { try text("events.jsonl").split(separator: "\n").map(String.init) }
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    /// Compares a text with a file, all of it. GOLDEN=record rewrites the file; review the difference before it is
    /// committed.
    static func expect(_ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["GOLDEN"] == "record", name != "events.jsonl" {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        #expect(text.utf8.elementsEqual(try Self.text(name).utf8), "\(name) differs", sourceLocation: sourceLocation)
    }
}
