/// Which part of a value could not be encoded, and why. Holds names and numbers, never a part of the value.
package struct EncodingFailure: Error, Sendable, CustomStringConvertible {
    /// The keys to the part, such as `items[2].price`; empty for the value itself.
    package let path: String
    /// Why, in a sentence without the path.
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// What an error says that writing a value has thrown.
    ///
    /// - Parameters:
    ///   - error: Of an error that is none of this module's, only the type is used: its text might hold a value.
    ///   - json: Where the value was written; it holds what was written up to the failure.
    package init(_ error: any Error, in json: borrowing JSONWriter) {
        let (inner, reason): (String, String) =
            switch error {
            case let error as EncodingFailure: (error.path, error.reason)
            case let error as JSONEncodingError: (error.path, error.reason)
            case EncodingError.invalidValue(_, let context): (CodingPath.text(context.codingPath), Self.reason(error))
            default: ("", Self.reason(error))
            }
        self.init(path: CodingPath.joined(CodingPath.text(json.openPath), inner), reason: reason)
    }

    /// - Parameter path: The keys from the encoded value.
    fileprivate init(_ error: any Error, at path: [any CodingKey]) {
        self.init(path: CodingPath.text(path), reason: Self.reason(error))
    }

    private static func reason(_ error: any Error) -> String { "its encoding threw \(type(of: error))" }

    package var description: String { "\(path.isEmpty ? "the value" : path) cannot be encoded: \(reason)" }
}

/// Remembers where `encode(to:)` threw an error that does not know its path.
final class FailureTrace {
    private var path: [any CodingKey] = []

    /// Called with an error on its way up from the value at `path`, the innermost value first.
    func note(_ error: any Error, at path: [any CodingKey]) {
        var path = path
        if case EncodingError.invalidValue(_, let context)? = error as? EncodingError,
            context.codingPath.count > path.count
        {
            path = context.codingPath
        }
        let isOnTheWayUp =
            path.count <= self.path.count && zip(path, self.path).allSatisfy { $0.stringValue == $1.stringValue }
        if !isOnTheWayUp { self.path = path }
    }

    func failure(_ error: any Error) -> any Error {
        error is JSONEncodingError ? error : EncodingFailure(error, at: path)
    }
}
