internal import Primitives

/// A nonescaping closure argument, valid during the call only.
///
/// An answer may call it: `database.write.answers { try $0.closure(row) }`. In recorded arguments, it only shows that
/// there was a closure. Thread-safe.
public final class NonescapingClosure<Closure>: Sendable, CustomDebugStringConvertible {
    private let held: Locked<Closure?>

    /// Stores a closure. For generated code.
    public init(_ closure: Closure) {
        held = Locked(nil)
        held.withLock { $0 = closure }
    }

    /// The closure. Using it after the call has returned is an error in the test and stops the process.
    public var closure: Closure {
        guard let closure = held.withLock({ $0 }) else {
            preconditionFailure("a nonescaping closure was used after its call returned: call it within the answer")
        }
        return closure
    }

    /// Releases the closure at the end of the call. For generated code.
    public func end() { held.withLock { $0 = nil } }

    public var debugDescription: String { "\(Closure.self)" }
}

/// A value that is passed between a call and the closure that answers it.
// Never used on two threads at the same time: the caller waits for the closure's answer.
public struct HandedOver<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
