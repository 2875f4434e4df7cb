internal import Primitives

/// An engine that delivers a log's events in this process.
package protocol LogDeliverer: AnyObject, Sendable {
    /// The names of the consumers that it delivers to.
    var consumers: [String] { get }
}

/// The registry of a log's delivery engine: one engine per log and process, shared by all environments.
public final class DeliveryRegistry: Sendable {
    // The object is Sendable, and the lock guards the reference.
    private struct Engine: @unchecked Sendable {
        weak var object: (any LogDeliverer)?
    }

    private let engine = Locked(Engine())

    /// Makes a registry without an engine.
    public init() {}

    /// The registered engine; calls `make` if there is none.
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
