package import EventModel
internal import JSONSchema

/// A value of each line with its format: `event.value.page`, `time:hour`.
///
/// Without a view, strings are written as text, other values as JSON without white space, and `null` counts as
/// missing. Views for times leave other values unchanged.
package struct Field: Hashable, Sendable {
    package let path: EventPath
    /// The value's format; nil for plain text.
    package let view: FieldView?
    /// The field as given, used as column title.
    package var title: String { view.map { "\(path):\($0.rawValue)" } ?? path.description }

    /// Parses a field.
    ///
    /// - Throws: `TypedTextError`.
    package init(_ text: String) throws(TypedTextError) {
        var reader = TypedText(text)
        self = try reader.field()
        try reader.finishPath()
    }

    init(path: EventPath, view: FieldView?) {
        self.path = path
        self.view = view
    }

    /// Parses a comma-separated list of fields: `time:hour,event.value.page`.
    ///
    /// - Throws: `TypedTextError`.
    package static func list(_ text: String) throws(TypedTextError) -> [Field] {
        var reader = TypedText(text)
        var fields = [try reader.field()]
        while !reader.isAtEnd {
            guard reader.take(",") else { throw reader.error("expected a comma between fields") }
            fields.append(try reader.field())
        }
        return fields
    }
}

extension TypedText {
    /// Reads a path and a view, with surrounding space.
    fileprivate mutating func field() throws(TypedTextError) -> Field {
        let path = try path(allowingStars: true)
        let view = take(":") ? try view() : nil
        return Field(path: path, view: view)
    }

    /// Reads the name of a view, with surrounding space.
    mutating func view() throws(TypedTextError) -> FieldView {
        skipSpace()
        defer { skipSpace() }
        let start = location
        guard let view = FieldView(rawValue: takeName()) else {
            let names = FieldView.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("unknown view: use \(names)", at: start)
        }
        return view
    }
}

/// The format of a field's value, written after a colon: `time:rfc3339`.
package enum FieldView: String, CaseIterable, Sendable {
    /// As JSON: strings with quotes, `null` as a word.
    case json
    /// A time in UTC: `2018-09-12T11:54:07.351338Z`.
    case rfc3339
    /// A time's day in UTC: `2018-09-12`.
    case date
    /// A time's hour in UTC: `2018-09-12T11:00:00Z`.
    case hour
    /// The members of an object in one line: `query=flux page=1`.
    case pairs
}

extension EventPath {
    /// The value in a line; nil if it is missing, or if the path can match several values.
    func value(in line: JSONSpan) -> JSONSpan? {
        var value = line
        for step in steps {
            let next: JSONSpan? =
                switch step {
                case .name(let name): name.withUnsafeBufferPointer { value.member($0) }
                case .element(let number): value.kind == .array ? value.element(number) : nil
                case .any: nil
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}
