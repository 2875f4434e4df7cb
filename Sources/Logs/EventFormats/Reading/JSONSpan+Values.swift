internal import EventModel
internal import JSONLines
internal import JSONSchema

extension JSONSpan {
    /// The time, for a number of seconds since 1970; nil for other values, and if it does not fit 64-bit
    /// microseconds.
    ///
    /// Exact up to six decimals; further ones are cut off. A number with an exponent is read as the nearest double.
    var time: EventTime? {
        guard kind == .number else { return nil }
        let point = content.firstIndex(of: UInt8(ascii: ".")) ?? content.endIndex
        let hasExponent = content.contains { $0 | 0x20 == UInt8(ascii: "e") }
        let exact = UnsafeBufferPointer(rebasing: content.prefix(point + 7))
        if !hasExponent, let time = EventTime(secondsSince1970: exact) { return time }
        guard let seconds = Double(String(decoding: content, as: UTF8.self)) else { return nil }
        return Int64(exactly: (seconds * 1_000_000).rounded()).map { EventTime(microseconds: $0) }
    }

    /// The time if RFC 3339 can represent it.
    var datedTime: EventTime? { time.flatMap { $0.hasRFC3339 ? $0 : nil } }
}

extension JSONSpan {
    /// Splits a string such as `GitHubClient 1.0` at its last space into name and version. Escapes stay unresolved.
    var product: (name: UnsafeBufferPointer<UInt8>, version: UnsafeBufferPointer<UInt8>?) {
        // Escapes contain no spaces, so both parts are valid string contents.
        guard let space = content.lastIndex(of: UInt8(ascii: " ")) else { return (content, nil) }
        return (
            UnsafeBufferPointer(rebasing: content[..<space]), UnsafeBufferPointer(rebasing: content[(space + 1)...])
        )
    }
}

extension JSONSpan {
    /// Appends the value's bytes, without white space between values.
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

    /// The value's bytes, without white space between values.
    var compact: [UInt8] {
        var bytes: [UInt8] = []
        appendCompact(to: &bytes)
        return bytes
    }
}

extension JSONWriter {
    /// Writes the value's bytes, without white space between values.
    mutating func value(_ span: JSONSpan) {
        if span.isCompact { value(UnsafeRawBufferPointer(span.source)) } else { value(span.compact) }
    }
}
