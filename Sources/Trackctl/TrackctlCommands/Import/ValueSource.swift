internal import EventFormats
internal import EventModel
internal import JSONLines

/// Where a member of a container comes from.
struct ValueSource {
    enum Origin {
        case path(EventPath)
        case constant(JSONValue)
        case template(Template)
    }

    /// What a value is turned into.
    enum Cast: String, CaseIterable {
        case text, integer, number, boolean
    }

    let origin: Origin
    var cast: Cast?
    /// Whether a line may lack it.
    var isOptional = false

    /// What the line has; nil if it has nothing, or `null`.
    ///
    /// - Throws: ``Refusal`` for a value that cannot be turned into what was asked for.
    func value(of line: ForeignLine, named name: String) throws -> JSONValue? {
        let value: JSONValue?
        switch origin {
        case .path(let path): value = path.value(in: line.value)
        case .constant(let constant): value = constant
        case .template(let template): value = .string(try Self.text(template, line))
        }
        guard let value, value != .null else { return nil }
        guard let cast else { return value }
        guard let turned = value.cast(to: cast) else { throw Refusal("\(name) is no \(cast.rawValue)") }
        return turned
    }

    private static func text(_ template: Template, _ line: ForeignLine) throws -> String {
        var format = try OutputFormat.lineFormat(of: template, FormatOptions())
        var text: [UInt8] = []
        try line.bytes.withUnsafeBytes { try format.append($0, into: &text) }
        return String(decoding: text.dropLast(), as: UTF8.self)  // the line feed
    }
}

extension JSONValue {
    /// The same value as another type; nil if it has no such form.
    fileprivate func cast(to type: ValueSource.Cast) -> JSONValue? {
        switch (type, self) {
        case (.text, .string), (.integer, .integer), (.boolean, .bool), (.number, .number), (.number, .integer): self
        case (.text, .integer(let value)): .string("\(value)")
        case (.text, .number(let value)): .string("\(value)")
        case (.text, .bool(let value)): .string("\(value)")
        case (.integer, .string(let text)): Int64(text).map { .integer($0) }
        case (.integer, .number(let value)): Int64(exactly: value).map { .integer($0) }
        case (.number, .string(let text)): Double(text).flatMap { $0.isFinite ? .number($0) : nil }
        case (.boolean, .string(let text)): Bool(text).map { .bool($0) }
        default: nil
        }
    }
}
