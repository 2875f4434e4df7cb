internal import EventModel
internal import JSONSchema

extension Field {
    /// The kind of value that a line has for a field.
    enum Found {
        /// Missing, or `null`.
        case nothing
        /// A string, or an object's members as pairs.
        case text
        /// Any other value.
        case json
    }

    func append(of line: JSONSpan, to output: inout [UInt8]) -> Found {
        guard let value = path.value(in: line) else { return .nothing }
        switch view {
        case .json:
            value.appendCompact(to: &output)
            return .json
        case .rfc3339?, .date?, .hour?:
            guard let time = value.datedTime else { return Self.appendPlain(value, to: &output) }
            let start = output.count
            time.appendRFC3339(to: &output)
            switch view {
            case .date?: output.removeLast(output.count - start - 10)
            case .hour?: output.replaceSubrange((start + 13)..., with: ":00:00Z".utf8)
            default: break
            }
            return .json
        case .pairs?:
            guard value.kind == .object else { return Self.appendPlain(value, to: &output) }
            value.appendPairs(to: &output)
            return .text
        case nil: return Self.appendPlain(value, to: &output)
        }
    }

    private static func appendPlain(_ value: JSONSpan, to output: inout [UInt8]) -> Found {
        switch value.kind {
        case .null: return .nothing
        case .string:
            value.withText { output.append(contentsOf: $0) }
            return .text
        default:
            value.appendCompact(to: &output)
            return .json
        }
    }
}

extension JSONSpan {
    /// Appends an object's members as `query=flux page=1`: simple strings without quotes, other values as JSON.
    func appendPairs(to output: inout [UInt8]) {
        for (number, member) in members.enumerated() {
            if number > 0 { output.append(UInt8(ascii: " ")) }
            member.name.appendWord(to: &output)
            output.append(UInt8(ascii: "="))
            member.value.appendWord(to: &output)
        }
    }

    private func appendWord(to output: inout [UInt8]) {
        guard kind == .string, !content.isEmpty, !content.contains(where: Self.needsQuotes) else {
            return appendCompact(to: &output)
        }
        output.append(contentsOf: content)
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "=")
    }
}
