import TrackingCore

/// Code of a target that is the main actor's by default may use generated events anywhere.
nonisolated func steps() -> [any TrackingEvent] {
    let seen: StepSeen = .stepSeen(step: .init(number: 1))
    let skipped: TutorialSkipped = .tutorialSkipped
    let page: PageView = .pageView(.step)
    return [seen, skipped, page]
}

nonisolated func purposes() -> [Purpose] {
    func purpose<Event: TrackingEvent>(_ event: Event) -> Purpose { Event.purpose }
    return Purpose.planned + [.ads] + steps().map { purpose($0) }
}

nonisolated func line(of event: some TrackingEvent) throws -> [UInt8] {
    var json = JSONWriter()
    try event.writeValue(to: &json)
    return json.bytes
}
