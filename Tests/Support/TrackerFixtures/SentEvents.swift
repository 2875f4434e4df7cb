internal import EventLog
internal import EventModel
internal import Flux
internal import Primitives
package import TrackingCore

/// A tracker with in-memory parts, and the events that it sent, dropped and delivered.
package final class SentEvents: Sendable {
    private enum Route: RouteCommand { case home }

    package let tracker: Tracker
    private let containers = Locked<[TrackingContainer]>([])
    private let dropped = Locked<[String]>([])
    private let sink = CountingSink()
    private let subscription: FluxSubscription

    package init() {
        let (sink, dropped, containers) = (sink, dropped, containers)
        do {
            tracker = try TrackingEnvironment<Route>.live(
                log: InMemoryEventStore(installID: "install"), storage: InMemoryKeyValueStorage(),
                clock: FixedClock(), timer: ContinuousClock(), ids: RandomTrackingIDs(), sinks: [sink],
                flushPolicy: .manual, context: nil
            ) { diagnostic in
                if case .dropped(let name, let reason) = diagnostic {
                    dropped.withLock { $0.append("\(name): \(reason.rawValue)") }
                }
            }.tracking
        } catch { preconditionFailure("with one sink there is no conflict: \(error)") }
        subscription = tracker.dispatcher.subscribe { container in containers.withLock { $0.append(container) } }
    }

    /// The names of all events, in order.
    package var names: [String] { containers.withLock { $0.map(\.name) } }

    /// The events of a type, in order.
    package func events<Event: TrackingEvent>(_ type: Event.Type) -> [Event] {
        containers.withLock { $0.compactMap { $0.event(as: type) } }
    }

    /// `name: reason` of each drop, in order.
    package var drops: [String] { dropped.withLock { $0 } }

    /// The number of events that the sink received.
    package var deliveredCount: Int { sink.count.withLock { $0 } }

    /// Calls a closure at each delivery, before the sink responds.
    package func onDelivery(_ action: @escaping @Sendable () -> Void) { sink.action.withLock { $0 = action } }
}

private struct FixedClock: TrackingClock {
    let now = EventTime(seconds: 1000)
}

private final class CountingSink: Sink {
    let name = "counting"
    let count = Locked(0)
    let action = Locked<(@Sendable () -> Void)?>(nil)

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        action.withLock { $0 }?()
        count.withLock { $0 += batch.records.count }
        return .delivered(through: batch.records[batch.records.count - 1].seq, checkpoint: nil)
    }
}
