internal import EventLog
internal import EventModel
internal import Primitives

/// Properties that all events of a type share, computed once.
final class EventKind: Sendable {
    let type: ObjectIdentifier
    let name: String
    /// Whether events of this type are sent: name and version fit the wire format, the purpose is not a sixteenth, and the
    /// app allows them if they are unplanned.
    let isValid: Bool
    /// The drop reason if they are not sent.
    let dropReason: DropReason
    let carriesValue: Bool
    let isBackground: Bool
    let priority: EventPriority
    let purpose: Purpose
    /// The bits of the purpose in ``SenderState/restrictions(_:)``.
    let restrictionBits: Int
    /// The bytes of the line between time and value.
    let afterTime: [UInt8]

    /// - Parameter bit: The bit of a purpose; nil if there are too many purposes.
    init<Event: TrackingEvent>(
        _ event: Event.Type, context: TrackingContext?, unplanned: UnplannedEvents, bit: (Purpose) -> Int?
    ) {
        let version = Event.schemaVersion
        type = ObjectIdentifier(event)
        name = Event.name
        purpose = Event.purpose
        let knownBit = purpose.isValid ? bit(purpose) : nil
        restrictionBits = purpose == .exempt ? Self.exemptBit : (knownBit ?? 0) | Self.waitingBit(knownBit ?? 0)
        let isWellFormed =
            EventName.isValid(name) && version.model > 0 && version.revision >= 0 && version.addition >= 0
            && knownBit != nil
        let isPlanned = Event.isPlanned
        isValid = isWellFormed && (isPlanned || unplanned == .allowed)
        dropReason = isWellFormed ? .unplanned : .invalidName
        carriesValue = Event.carriesValue
        isBackground = event == Background.self
        priority = Event.priority
        afterTime = ContainerLine.afterTime(
            name: name, version: version, context: context, isPlanned: isPlanned, carriesValue: carriesValue)
    }

    /// The bits of purposes whose events wait for an answer, and that of exempt events that wait.
    static let waitingBits = 0x7FFF << 16 | exemptBit
    static let exemptBit = 1 << 31

    /// Whether restrictions are more than waiting.
    @inline(__always)
    static func isDenied(_ restrictions: Int) -> Bool { restrictions & ~waitingBits != 0 }

    /// - Parameter bit: The bit of a purpose whose events are dropped.
    static func waitingBit(_ bit: Int) -> Int { bit << 16 }
}

/// The kinds of a pipeline's events: one for each type that was sent.
final class EventKinds: Sendable {
    private let context: TrackingContext?
    private let unplanned: UnplannedEvents
    private let bit: @Sendable (Purpose) -> Int?
    private let kinds: Locked<[ObjectIdentifier: EventKind]> = Locked([:])
    /// The kind that was requested last. Not retained here: `kinds` never releases a kind.
    private let last = Atomic<Unmanaged<EventKind>?>(nil)

    init(context: TrackingContext?, unplanned: UnplannedEvents, bit: @escaping @Sendable (Purpose) -> Int?) {
        self.bit = bit
        self.context = context
        self.unplanned = unplanned
    }

    /// The kind of a type. It lives as long as this object.
    func kind<Event: TrackingEvent>(of event: Event.Type) -> Unmanaged<EventKind> {
        let type = ObjectIdentifier(event)
        if let last = last.load(ordering: .acquiring), last._withUnsafeGuaranteedRef({ $0.type == type }) {
            return last
        }
        let known = kinds.withLock { $0[type] }
        // Created without holding the lock, since the event type's own declarations may run any code.
        let kind = known ?? add(EventKind(event, context: context, unplanned: unplanned, bit: bit))
        last.store(Unmanaged.passUnretained(kind), ordering: .releasing)
        return Unmanaged.passUnretained(kind)
    }

    private func add(_ kind: EventKind) -> EventKind {
        kinds.withLock { kinds in
            if let first = kinds[kind.type] { return first }
            kinds[kind.type] = kind
            return kind
        }
    }
}
