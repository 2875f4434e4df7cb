internal import EventFormats
internal import EventModel
internal import EventQuery
internal import JSONLines

/// The source of a member of a container.
struct ValueSource: Sendable {
    enum Origin: Sendable {
        /// The first of these paths that has a value.
        case paths([EventPath])
        case constant(JSONValue)
        case template(Template)
        /// The whole line.
        case whole
    }

    /// The target type of a conversion.
    enum Cast: String, CaseIterable, Sendable {
        case text, integer, number, boolean
    }

    let origin: Origin
    var cast: Cast?
    /// Whether lines may lack the value.
    var isOptional = false
    /// The value of lines that lack it.
    var substitute: JSONValue?

    /// - Parameter extra: Further members that the caller reads.
    init(_ node: SpecNode, extra: [String] = []) throws(JSONSyntaxError) {
        let members = try node.members(["from", "constant", "template", "whole", "as", "optional", "default"] + extra)
        var origins: [Origin] = []
        if let from = members["from"] { origins.append(.paths(try Self.paths(from))) }
        if let template = members["template"] {
            let text = try template.text("template")
            do throws(TypedTextError) { origins.append(.template(try Template(text))) } catch {
                throw template.issue("template: \(error)")
            }
        }
        if let constant = members["constant"] { origins.append(.constant(constant.value)) }
        if let whole = members["whole"] {
            try whole.expect(true, "whole")
            origins.append(.whole)
        }
        guard origins.count == 1 else { throw node.issue("use exactly one of from, constant, template and whole") }
        origin = origins[0]
        if let type = members["as"] {
            guard let cast = Cast(rawValue: try type.text("as")) else {
                throw type.issue("as must be one of \(Cast.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            self.cast = cast
        }
        if let optional = members["optional"] {
            try optional.expect(true, "optional")
            isOptional = true
        }
        substitute = members["default"]?.value
    }

    private static func paths(_ node: SpecNode) throws(JSONSyntaxError) -> [EventPath] {
        let texts: [String]
        switch node.value {
        case .string(let text): texts = [text]
        case .array(let elements) where !elements.isEmpty:
            texts = elements.compactMap(\.stringValue)
            guard texts.count == elements.count else { throw node.issue("from must be a path or a list of paths") }
        default: throw node.issue("from must be a path or a list of paths")
        }
        var paths: [EventPath] = []
        for text in texts {
            do throws(TypedTextError) { paths.append(try EventPath(text)) } catch {
                throw node.issue("from: \(error)")
            }
        }
        return paths
    }

    /// The value in a line; nil if it is missing or `null`.
    ///
    /// - Throws: ``Refusal`` if the value cannot be converted.
    func value(of line: ForeignLine, named name: String) throws -> JSONValue? {
        let value: JSONValue?
        switch origin {
        case .paths(let paths): value = paths.lazy.compactMap { Self.present($0.value(in: line.value)) }.first
        case .constant(let constant): value = constant
        case .template(let template): value = .string(try Self.text(template, line))
        case .whole: value = line.value
        }
        guard let value = Self.present(value) else { return substitute }
        guard let cast else { return value }
        guard let turned = value.cast(to: cast) else { throw Refusal("\(name) is not of type \(cast.rawValue)") }
        return turned
    }

    private static func present(_ value: JSONValue?) -> JSONValue? { value == .null ? nil : value }

    private static func text(_ template: Template, _ line: ForeignLine) throws -> String {
        var format = try OutputFormat.lineFormat(of: template, FormatOptions())
        var text: [UInt8] = []
        try line.bytes.withUnsafeBytes { try format.append($0, into: &text) }
        return String(decoding: text.dropLast(), as: UTF8.self)  // the line feed
    }
}

extension JSONValue {
    /// The value converted to another type; nil if that is impossible.
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
