internal import Primitives

/// What delivers a log's events in this process.
package protocol LogDeliverer: AnyObject, Sendable {
    /// The names of the consumers that it delivers to.
    var consumers: [String] { get }
}

/// Who delivers a log's events in this process: one engine for a log, however many environments there are.
public final class DeliveryRegistry: Sendable {
    // The object is Sendable, and the reference changes under the lock.
    private struct Engine: @unchecked Sendable {
        weak var object: (any LogDeliverer)?
    }

    private let engine = Locked(Engine())

    /// Makes a registry without an engine.
    public init() {}

    /// The engine, which is made if there is none.
    package func engine<Object: LogDeliverer>(making make: () -> Object) -> Object {
        engine.withLock { engine in
            if let object = engine.object as? Object { return object }
            let made = make()
            engine.object = made
            return made
        }
    }

    /// The names of the consumers that environments in this process deliver to.
    var consumers: [String] { engine.withLock { $0.object }?.consumers ?? [] }
}
