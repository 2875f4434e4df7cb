/// Somebody who waits for an event.
struct EventWait: Sendable {
    let pattern: EventPattern
    let wait = Wait()

    init(_ pattern: EventPattern) { self.pattern = pattern }
}
