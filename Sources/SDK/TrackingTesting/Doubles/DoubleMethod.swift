/// Records and answers the calls of a member that is not `async`.
///
/// ```swift
/// let storage = KeyValueStorageDouble()
/// storage.string.answers("a", where: { $0 == "first" })
/// …
/// #expect(storage.string.calls == ["first"])
/// ```
///
/// A call without an answer throws ``DoubleFailure`` if the member can throw it. Otherwise it stops the process, since
/// there is no value to return. Calls that return `Void` need no answer. Thread-safe.
public final class DoubleMethod<Arguments, Result, Failure: Error>: DoubleMember<
    Arguments, Result, Failure, DoubleHandler<Arguments, Result, Failure>
>, @unchecked Sendable
{
    /// Answers with the result or the error of a closure from now on. The closure runs on the calling thread.
    ///
    /// - Parameter matches: The calls to answer. Default: all.
    @discardableResult
    public func answers(
        where matches: (@Sendable (Arguments) -> Bool)? = nil,
        _ handler: @escaping @Sendable (Arguments) throws(Failure) -> Result
    ) -> Self {
        script([.handler(DoubleHandler(answer: handler))], matches)
    }

    /// Records a call and answers it. For generated code.
    ///
    /// - Parameter otherwise: The answer if none is set.
    public func call(_ arguments: Arguments, otherwise: Result? = nil) throws(Failure) -> Result {
        switch answer(to: arguments) {
        case .value(let value)?: return value
        case .failure(let error)?: throw error
        case .handler(let handler)?: return try handler.answer(arguments)
        case nil:
            if let otherwise { return otherwise }
            try unanswered(arguments)
        }
    }

    /// Records a call of a generic member and answers it with a value of the required type. For generated code.
    public func call<Wanted>(_ arguments: Arguments, as type: Wanted.Type) throws(Failure) -> Wanted {
        try cast(call(arguments), to: type)
    }
}

/// Records and answers the calls of an `async` member.
///
/// ```swift
/// let session = FeedSessionDouble()
/// session.data.answers { request in (Data(), response) }
/// …
/// let request = try session.data.requireOnce()
/// ```
///
/// A call without an answer throws ``DoubleFailure`` if the member can throw it. Otherwise it stops the process, since
/// there is no value to return. Calls that return `Void` need no answer. Thread-safe.
public final class AsyncDoubleMethod<Arguments, Result, Failure: Error>: DoubleMember<
    Arguments, Result, Failure, AsyncDoubleHandler<Arguments, Result, Failure>
>, @unchecked Sendable
{
    /// Answers with the result or the error of a closure from now on.
    ///
    /// - Parameter matches: The calls to answer. Default: all.
    @discardableResult
    public func answers(
        where matches: (@Sendable (Arguments) -> Bool)? = nil,
        _ handler: @escaping @Sendable (Arguments) async throws(Failure) -> Result
    ) -> Self {
        let boxed: @Sendable (HandedOver<Arguments>) async throws(Failure) -> HandedOver<Result> = {
            arguments async throws(Failure) in
            HandedOver(try await handler(arguments.value))
        }
        return script([.handler(AsyncDoubleHandler(answer: boxed))], matches)
    }

    /// Records a call and answers it. For generated code.
    ///
    /// - Parameters:
    ///   - otherwise: The answer if none is set.
    ///   - isolation: The caller's isolation.
    public func call(
        _ arguments: Arguments, otherwise: Result? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Result {
        switch answer(to: arguments) {
        case .value(let value)?: return value
        case .failure(let error)?: throw error
        case .handler(let handler)?: return try await handler.answer(HandedOver(arguments)).value
        case nil:
            if let otherwise { return otherwise }
            try unanswered(arguments)
        }
    }

    /// Records a call of a generic member and answers it with a value of the required type. For generated code.
    public func call<Wanted>(
        _ arguments: Arguments, as type: Wanted.Type, isolation: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Wanted {
        try cast(await call(arguments, isolation: isolation), to: type)
    }
}

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
