/// A closure that answers calls, as ``DoubleMethod`` keeps it.
///
/// A type of its own: before macOS 15 and iOS 18 a function with a typed error can't be a generic argument.
public struct DoubleHandler<Arguments, Result, Failure: Error>: Sendable {
    let answer: @Sendable (Arguments) throws(Failure) -> Result
}

/// A closure that answers `async` calls, as ``AsyncDoubleMethod`` keeps it.
public struct AsyncDoubleHandler<Arguments, Result, Failure: Error>: Sendable {
    let answer: @Sendable (HandedOver<Arguments>) async throws(Failure) -> HandedOver<Result>
}
