internal import FakeData

/// Where generated lines come from.
enum GeneratedSource {
    case log(FakeLog)
    /// Values of one schema that is no event's.
    case values(ValueStream)

    /// Calls `body` with the next line, without a line feed.
    ///
    /// - Throws: `FakeDataError` if none can be made; what `body` throws.
    func withNextLine(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        switch self {
        case .log(let log): try log.withNextLine(body)
        case .values(let values): try values.withNext(body)
        }
    }
}
