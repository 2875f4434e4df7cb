package import EventModel
internal import JSONSchema

/// A value of each line, and how it is written: `event.value.page`, `time:hour`.
///
/// Without a view, a string is its text, any other value its JSON without white space, and `null` is like a member that
/// is not there. A view for times leaves what is no time as it is.
package struct Field: Hashable, Sendable {
    /// Where it stands.
    package let path: EventPath
    /// How it is written; nil for text as it is.
    package let view: FieldView?
    /// The field as it was given: what a column is called.
    package var title: String { view.map { "\(path):\($0.rawValue)" } ?? path.description }

    /// Reads a field.
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

    /// Reads fields with commas between them: `time:hour,event.value.page`.
    ///
    /// - Throws: `TypedTextError`.
    package static func list(_ text: String) throws(TypedTextError) -> [Field] {
        var reader = TypedText(text)
        var fields = [try reader.field()]
        while !reader.isAtEnd {
            guard reader.take(",") else { throw reader.error("write a comma between two fields") }
            fields.append(try reader.field())
        }
        return fields
    }
}

extension TypedText {
    /// Takes a path and a view, and the space around them.
    fileprivate mutating func field() throws(TypedTextError) -> Field {
        let path = try path(allowingStars: true)
        let view = take(":") ? try view() : nil
        return Field(path: path, view: view)
    }

    /// Takes the name of a view, and the space around it.
    mutating func view() throws(TypedTextError) -> FieldView {
        skipSpace()
        defer { skipSpace() }
        let start = location
        guard let view = FieldView(rawValue: takeName()) else {
            let names = FieldView.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("there is no such view of a value; there are \(names)", at: start)
        }
        return view
    }
}

/// How a field's value is written, after a colon: `time:rfc3339`.
package enum FieldView: String, CaseIterable, Sendable {
    /// As JSON: strings with their quotes, `null` as a word.
    case json
    /// A time in UTC: `2018-09-12T11:54:07.351338Z`.
    case rfc3339
    /// A time's day in UTC: `2018-09-12`.
    case date
    /// A time's hour in UTC: `2018-09-12T11:00:00Z`.
    case hour
    /// The members of an object in one line: `query=flux page=1`.
    case pairs

    /// What it does, in a few words.
    package var summary: String {
        switch self {
        case .json: "as JSON, strings with their quotes"
        case .rfc3339: "a time in UTC, as in 2018-09-12T11:54:07.351338Z"
        case .date: "a time's day in UTC, as in 2018-09-12"
        case .hour: "a time's hour in UTC, as in 2018-09-12T11:00:00Z"
        case .pairs: "an object's members, as in query=flux page=1"
        }
    }
}

extension EventPath {
    /// The value in a line, if there is one; nil for a path that stands for many.
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
