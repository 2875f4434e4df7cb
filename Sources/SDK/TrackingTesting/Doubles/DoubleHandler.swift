/// A closure that answers calls, stored by ``DoubleMethod``.
///
/// A separate type because a function with a typed error can't be a generic argument before macOS 15 and iOS 18.
public struct DoubleHandler<Arguments, Result, Failure: Error>: Sendable {
    let answer: @Sendable (Arguments) throws(Failure) -> Result
}

/// A closure that answers `async` calls, stored by ``AsyncDoubleMethod``.
public struct AsyncDoubleHandler<Arguments, Result, Failure: Error>: Sendable {
    let answer: @Sendable (HandedOver<Arguments>) async throws(Failure) -> HandedOver<Result>
}
