internal import Primitives

/// What a test double was not asked for as the test expects, or could not answer.
///
/// `expect…` methods report it to the test, and `requireOnce` throws it. A call that has no answer does both, because the
/// code under test may swallow what is thrown.
public struct DoubleFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Code: Hashable, Sendable {
        /// A call came that no answer was given for.
        case unanswered
        /// A call of a generic member was answered with a value of another type than it asks for.
        case wrongAnswer
        /// There were more or fewer calls than the test expects.
        case wrongCount
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, and what to do about it.
    public let message: String
    /// Where the test is at fault: the expectation, or the making of the double; nil if a call of a static member or an
    /// initialiser has no answer.
    public let location: CodeLocation?

    /// The place and the message.
    public var description: String { location.map { "\($0): \(message)" } ?? message }
}

extension DoubleFailure {
    /// Makes the failure one of the test that runs.
    func report() { TestFailure.report(message, at: location) }
}

/// Where a member of a double comes from, for messages and for the order of calls.
struct DoubleOrigin: Sendable {
    let double: String
    let signature: String
    let property: String
    let location: CodeLocation?
    /// Shared by all members of a double.
    let order: Locked<[String]>

    /// `HTTPSessionDouble.data(for:)`.
    var name: String { "\(double).\(signature)" }

    /// What keeps a call from being answered, shown where the double was made.
    func failure(_ code: DoubleFailure.Code, _ message: String) -> DoubleFailure {
        DoubleFailure(code: code, message: "\(name) \(message)", location: location)
    }

    /// Arguments as messages show them: `"a", 2`, and nothing for none.
    static func text<Arguments>(_ arguments: Arguments) -> String {
        if arguments is Void { return "" }
        let text = String(reflecting: arguments)
        let plain = text.hasPrefix("(") && text.hasSuffix(")") ? String(text.dropFirst().dropLast()) : text
        return plain.count > 400 ? plain.prefix(400) + "…" : plain
    }
}
