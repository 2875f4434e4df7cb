internal import JSONLines
internal import JSONSchema

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
