package import EventModel
internal import JSONSchema

/// Reduces a line to some of its members: `event.name,event.value.page`.
///
/// Nesting, order and the bytes of values stay unchanged; white space between values is removed. Remaining elements
/// of an array move together. Missing members are omitted, as are objects without remaining members. If nothing
/// remains, the line is `{}`.
package struct FieldSelection: Sendable {
    private let matcher: PathMatcher

    package init(_ paths: [EventPath]) { matcher = PathMatcher(paths: paths) }

    /// Appends the selected part of a line.
    func append(_ line: JSONSpan, to output: inout [UInt8]) {
        if !appendMembers(line, active: matcher.start, depth: 0, to: &output) { output.append(contentsOf: "{}".utf8) }
    }

    /// Appends the selected part of a value; returns false and appends nothing if it is empty.
    private func append(_ value: JSONSpan, active: [Int], depth: Int, to output: inout [UInt8]) -> Bool {
        guard !active.isEmpty else { return false }
        if active.contains(where: { matcher.ends($0, depth: depth) }) {
            value.appendCompact(to: &output)
            return true
        }
        switch value.kind {
        case .object: return appendMembers(value, active: active, depth: depth + 1, to: &output)
        case .array: return appendElements(value, active: active, depth: depth + 1, to: &output)
        default: return false
        }
    }

    private func appendMembers(_ object: JSONSpan, active: [Int], depth: Int, to output: inout [UInt8]) -> Bool {
        let start = output.count
        for member in object.members {
            let mark = output.count
            output.append(mark == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
            output.append(contentsOf: member.name.source)
            output.append(UInt8(ascii: ":"))
            let followed = matcher.active(active, depth: depth, name: member.name)
            if !append(member.value, active: followed, depth: depth, to: &output) {
                output.removeLast(output.count - mark)
            }
        }
        guard output.count > start else { return false }
        output.append(UInt8(ascii: "}"))
        return true
    }

    private func appendElements(_ array: JSONSpan, active: [Int], depth: Int, to output: inout [UInt8]) -> Bool {
        let start = output.count
        for (number, element) in array.elements.enumerated() {
            let mark = output.count
            output.append(mark == start ? UInt8(ascii: "[") : UInt8(ascii: ","))
            let followed = matcher.active(active, depth: depth, element: number)
            if !append(element, active: followed, depth: depth, to: &output) {
                output.removeLast(output.count - mark)
            }
        }
        guard output.count > start else { return false }
        output.append(UInt8(ascii: "]"))
        return true
    }
}

/// Applies another format to lines after redaction and selection.
struct EditedFormat: LineFormat {
    private var base: any LineFormat
    private let redactor: LineRedactor?
    private let selection: FieldSelection?
    private var reader = LineReader()
    private var redacted: [UInt8] = []
    private var narrowed: [UInt8] = []

    init(_ base: any LineFormat, redactor: LineRedactor?, selection: FieldSelection?) {
        self.base = base
        self.redactor = redactor
        self.selection = selection
    }

    var isPrintable: Bool { base.isPrintable }

    mutating func begin(into output: inout [UInt8]) { base.begin(into: &output) }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        guard let redactor else { return try appendNarrowed(line, into: &output) }
        redacted.removeAll(keepingCapacity: true)
        try reader.read(line) { redactor.append($0, to: &redacted) }
        try redacted.withUnsafeBytes { try appendNarrowed($0, into: &output) }
    }

    private mutating func appendNarrowed(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        guard let selection else { return try base.append(line, into: &output) }
        narrowed.removeAll(keepingCapacity: true)
        try reader.read(line) { selection.append($0, to: &narrowed) }
        try narrowed.withUnsafeBytes { try base.append($0, into: &output) }
    }

    mutating func end(into output: inout [UInt8]) { base.end(into: &output) }
}
