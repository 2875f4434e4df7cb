internal import CommandSupport
internal import FakeData

/// Where generated lines come from.
enum GeneratedSource {
    case log(FakeLog)
    /// Values of one schema that is no event's.
    case values(ValueStream)

    /// Calls `body` with the next line, without a line feed.
    ///
    /// - Throws: ``CommandFailure``: `dataAtFault` if none can be made.
    func withNextLine(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        do {
            switch self {
            case .log(let log): try log.withNextLine(body)
            case .values(let values): try values.withNext(body)
            }
        } catch let error as FakeDataError {
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    /// No data can be made of a schema.
    init(_ error: FakeDataError) { self.init(.dataAtFault, error.description) }
}
