import EventLog
import LogFixtures
import Primitives
import TrackingCore
import TrackingDomainEvents

/// Tests of environments whose log opens when ``gate`` opens.
protocol OpeningSuite {
    var dependencies: TestDependencies { get }
    var gate: OpeningGate { get }
}

/// Delays the opening.
final class OpeningGate: Sendable {
    private let stream = AsyncStream.makeStream(of: Void.self)
    func open() { stream.continuation.yield() }
    func pass() async { for await _ in stream.stream { return } }
}

/// An event without limits.
struct LongEvent: TrackingEvent {
    static let name = "long"
    let text: String
}

struct OpeningFailure: Error, CustomStringConvertible {
    var description: String { "it cannot be opened" }
}

extension OpeningSuite {
    func start(
        _ log: (any EventStore)? = nil, sinks: [any Sink] = [], policy: FlushPolicy = .manual,
        limit: SendingLimit? = .standard, consent: ConsentPolicy = .assumed,
        time: any BackgroundTime = .system, error: @escaping @Sendable () -> OpeningFailure? = { nil },
        storage: (any KeyValueStorage)? = nil, maximumHeldBytes: Int = 4 << 20,
        timer: ManualTimer = ManualTimer()
    ) -> TrackingEnvironment<Route> {
        .live(
            opening: { [gate, dependencies] in
                await gate.pass()
                if let error = error() { throw error }
                return log ?? dependencies.log
            },
            storage: storage ?? dependencies.storage, clock: dependencies.clock, timer: timer, ids: dependencies.ids,
            sinks: sinks,
            flushPolicy: policy, sendingLimit: limit, consent: consent, context: nil,
            maximumHeldBytes: maximumHeldBytes, backgroundTime: time,
            diagnostics: { [dependencies] in dependencies.report($0) })
    }

    /// An event whose encoded value has 100 bytes.
    func hundredBytes() -> LongEvent {
        LongEvent(text: String(repeating: "x", count: 100 - #"{"text":""}"#.utf8.count))
    }

    func search(_ page: Int) -> Search { Search(query: "x", page: page) }

    /// Opens the log, and returns when all held events are in it.
    func open(_ environment: TrackingEnvironment<Route>) async {
        gate.open()
        await environment.tracking.flush()
    }

    func seen(_ environment: TrackingEnvironment<Route>) -> (Locked<[String]>, FluxSubscription) {
        let seen = Locked<[String]>([])
        let subscription = environment.tracking.dispatcher.subscribe { container in
            seen.withLock { $0.append("\(container.seq) \(type(of: container.event).name)") }
        }
        return (seen, subscription)
    }
}
