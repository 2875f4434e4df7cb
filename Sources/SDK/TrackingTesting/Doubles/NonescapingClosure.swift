internal import Primitives

/// A closure that a member gets for the time of the call only.
///
/// An answer may call it: `database.write.answers { try $0.closure(row) }`. In recorded arguments it only says that it was
/// there. Any thread.
public final class NonescapingClosure<Closure>: Sendable, CustomDebugStringConvertible {
    private let held: Locked<Closure?>

    /// Holds a closure, for generated code.
    public init(_ closure: Closure) {
        held = Locked(nil)
        held.withLock { $0 = closure }
    }

    /// The closure. Asking for it after the call has ended is a fault in the test, and stops the process.
    public var closure: Closure {
        guard let closure = held.withLock({ $0 }) else {
            preconditionFailure("a closure that does not escape was asked for after its call: call it in the answer")
        }
        return closure
    }

    /// Lets go of the closure: the call ends. For generated code.
    public func end() { held.withLock { $0 = nil } }

    public var debugDescription: String { "\(Closure.self)" }
}

/// A value on its way between a call and the closure that answers it.
// Nobody uses it on two threads at once: the caller waits for the answer, and the closure is done when it has given it.
public struct HandedOver<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
