/// A value on its way between a call and the closure that answers it.
// Nobody uses it on two threads at once: the caller waits for the answer, and the closure is done when it has given it.
public struct HandedOver<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
