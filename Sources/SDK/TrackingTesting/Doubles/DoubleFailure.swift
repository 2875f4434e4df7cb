internal import Primitives

/// Unexpected or unanswered calls of a test double.
///
/// `expect…` methods report it to the test, and `requireOnce` throws it. A call without an answer does both, because
/// the code under test may swallow the error.
public struct DoubleFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// A call has no answer.
        case unanswered
        /// A call of a generic member was answered with a value of the wrong type.
        case wrongAnswer
        /// The number of calls differs from the expectation.
        case wrongCount
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do.
    public let message: String
    /// The cause in the test: the expectation, or the line that made the double. Nil if a call of a static member or an
    /// initializer has no answer.
    public let location: CodeLocation?

    /// The location and the message.
    public var description: String { location.map { "\($0): \(message)" } ?? message }
}

extension DoubleFailure {
    /// Reports the failure to the running test.
    func report() { TestFailure.report(message, at: location) }
}

/// The origin of a double's member, for messages and for the order of calls.
struct DoubleOrigin: Sendable {
    let double: String
    let signature: String
    let property: String
    let location: CodeLocation?
    /// Shared by all members of a double.
    let order: Locked<[String]>

    /// `HTTPSessionDouble.data(for:)`.
    var name: String { "\(double).\(signature)" }

    /// The failure of a call, shown at the line that made the double.
    func failure(_ code: DoubleFailure.Code, _ message: String) -> DoubleFailure {
        DoubleFailure(code: code, message: "\(name) \(message)", location: location)
    }

    /// Arguments as shown in messages: `"a", 2`; empty without arguments.
    static func text<Arguments>(_ arguments: Arguments) -> String {
        if arguments is Void { return "" }
        let text = String(reflecting: arguments)
        let plain = text.hasPrefix("(") && text.hasSuffix(")") ? String(text.dropFirst().dropLast()) : text
        return plain.count > 400 ? plain.prefix(400) + "…" : plain
    }
}
