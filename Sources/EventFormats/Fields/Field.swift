/// A value of each line, and how it is written: `event.value.page`, `time:hour`.
///
/// Without a view, a string is its text, any other value its JSON without white space, and `null` is like a member that
/// is not there. A view for times leaves what is no time as it is.
package struct Field: Hashable, Sendable {
    /// Where it stands.
    package let path: FieldPath
    /// How it is written; nil for text as it is.
    package let view: FieldView?
    /// The field as it was given: what a column is called.
    package let title: String

    /// Reads a field.
    ///
    /// - Throws: ``FieldSyntaxError``.
    package init(_ text: String) throws(FieldSyntaxError) {
        var scanner = FieldScanner(text)
        self = try scanner.field(of: text)
        try scanner.finish()
    }

    init(path: FieldPath, view: FieldView?, title: String) {
        self.path = path
        self.view = view
        self.title = title
    }

    /// Reads fields with commas between them: `time:hour,event.value.page`.
    ///
    /// - Throws: ``FieldSyntaxError``.
    package static func list(_ text: String) throws(FieldSyntaxError) -> [Field] {
        var scanner = FieldScanner(text)
        var fields = [try scanner.field(of: text)]
        while !scanner.isAtEnd {
            guard scanner.take(",") else { throw scanner.error("write a comma between two fields") }
            fields.append(try scanner.field(of: text))
        }
        return fields
    }
}

extension FieldScanner {
    /// Takes a path and a view.
    fileprivate mutating func field(of text: String) throws(FieldSyntaxError) -> Field {
        let start = offset
        let path = try path()
        let view = take(":") ? try view() : nil
        return Field(path: path, view: view, title: String(decoding: Array(text.utf8)[start..<offset], as: UTF8.self))
    }

    /// Takes the name of a view.
    mutating func view() throws(FieldSyntaxError) -> FieldView {
        let start = offset
        guard let view = FieldView(rawValue: String(decoding: word(), as: UTF8.self)) else {
            let names = FieldView.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("there is no such view of a value; there are \(names)", at: start)
        }
        return view
    }
}
