/// The part of a value that could not be encoded, and the reason. Contains names and numbers, never values.
package struct EncodingFailure: Error, Sendable, CustomStringConvertible {
    /// The path of the part, such as `items[2].price`; empty for the value itself.
    package let path: String
    /// The reason, in one sentence without the path.
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// Describes an error that was thrown while a value was written.
    ///
    /// - Parameters:
    ///   - error: The error. Of errors of other modules, only the type is used, since their text might contain a value.
    ///   - json: The writer with the output up to the failure.
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

    /// - Parameter path: The keys, starting at the encoded value.
    fileprivate init(_ error: any Error, at path: [any CodingKey]) {
        self.init(path: CodingPath.text(path), reason: Self.reason(error))
    }

    private static func reason(_ error: any Error) -> String { "its encoding threw \(type(of: error))" }

    package var description: String { "\(path.isEmpty ? "the value" : path) cannot be encoded: \(reason)" }
}

/// Records where `encode(to:)` threw an error that lacks a path.
final class FailureTrace {
    private var path: [any CodingKey] = []

    /// Called with an error that propagates from the value at `path`, starting with the innermost value.
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
