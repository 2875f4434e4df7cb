internal import Primitives

/// Where a member of a double comes from, for messages and for the order of calls.
struct DoubleOrigin: Sendable {
    let double: String
    let signature: String
    let property: String
    let place: SourcePlace?
    /// Shared by all members of a double.
    let order: Locked<[String]>

    /// `HTTPSessionDouble.data(for:)`.
    var name: String { "\(double).\(signature)" }

    /// What keeps a call from being answered, shown where the double was made.
    func failure(_ code: DoubleFailure.Code, _ message: String) -> DoubleFailure {
        DoubleFailure(code: code, message: "\(name) \(message)", place: place)
    }

    /// Arguments as messages show them: `"a", 2`, and nothing for none.
    static func text<Arguments>(_ arguments: Arguments) -> String {
        if arguments is Void { return "" }
        let text = String(reflecting: arguments)
        let plain = text.hasPrefix("(") && text.hasSuffix(")") ? String(text.dropFirst().dropLast()) : text
        return plain.count > 400 ? plain.prefix(400) + "…" : plain
    }
}
