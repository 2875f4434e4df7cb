internal import EventModel
internal import JSONLines
internal import JSONSchema

extension JSONSpan {
    /// The time of a number of seconds since 1970; nil for anything else, and for what is past 64 bits of microseconds.
    ///
    /// Decimals are exact up to the sixth, and cut off behind it. A number with an exponent is taken for the nearest
    /// double.
    var time: EventTime? {
        guard kind == .number else { return nil }
        let point = content.firstIndex(of: UInt8(ascii: ".")) ?? content.endIndex
        let hasExponent = content.contains { $0 | 0x20 == UInt8(ascii: "e") }
        let exact = UnsafeBufferPointer(rebasing: content.prefix(point + 7))
        if !hasExponent, let time = EventTime(secondsSince1970: exact) { return time }
        guard let seconds = Double(String(decoding: content, as: UTF8.self)) else { return nil }
        return Int64(exactly: (seconds * 1_000_000).rounded()).map { EventTime(microseconds: $0) }
    }

    /// The same, if RFC 3339 has a form for it.
    var datedTime: EventTime? { time.flatMap { $0.hasRFC3339 ? $0 : nil } }
}

extension JSONSpan {
    /// A string like `GitHubClient 1.0`, cut at its last space: name and version, escapes as they are written.
    var product: (name: UnsafeBufferPointer<UInt8>, version: UnsafeBufferPointer<UInt8>?) {
        // No escape holds a space, so what stands on either side of one is a string.
        guard let space = content.lastIndex(of: UInt8(ascii: " ")) else { return (content, nil) }
        return (
            UnsafeBufferPointer(rebasing: content[..<space]), UnsafeBufferPointer(rebasing: content[(space + 1)...])
        )
    }
}

extension JSONSpan {
    /// Appends the value as it is written, without white space between values.
    func appendCompact(to output: inout [UInt8]) {
        guard !isCompact else { return output.append(contentsOf: source) }
        switch kind {
        case .object:
            output.append(UInt8(ascii: "{"))
            for (number, member) in members.enumerated() {
                if number > 0 { output.append(UInt8(ascii: ",")) }
                output.append(contentsOf: member.name.source)
                output.append(UInt8(ascii: ":"))
                member.value.appendCompact(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        case .array:
            output.append(UInt8(ascii: "["))
            for (number, element) in elements.enumerated() {
                if number > 0 { output.append(UInt8(ascii: ",")) }
                element.appendCompact(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        default: output.append(contentsOf: source)
        }
    }

    /// The value as it is written, without white space between values.
    var compact: [UInt8] {
        var bytes: [UInt8] = []
        appendCompact(to: &bytes)
        return bytes
    }
}

extension JSONWriter {
    /// Writes a value as it is written in its line, without white space between values.
    mutating func value(_ span: JSONSpan) {
        if span.isCompact { value(UnsafeRawBufferPointer(span.source)) } else { value(span.compact) }
    }
}
