internal import EventLog
internal import EventModel
internal import Primitives

/// Who sends an event: the pipeline asks for consent, and for the install, the session and the user of the line.
///
/// Generic code is specialized for each author, so that the present person's events need no more than these checks.
protocol EventAuthor: Sendable {
    /// The result of the check before the event is encoded.
    associatedtype Permission

    /// The user of `Tracker.as(user:)`; nil for the present person.
    var user: User? { get }

    /// Whether the event's person has not denied its purpose, nor may it only be counted. Called before the event is encoded, without a lock held.
    ///
    /// - Returns: nil if the event is to be dropped.
    func permission(for kind: EventKind, in pipeline: TrackingPipeline) -> Permission?

    /// The expected length of the line's envelope context, in bytes. If it is too short, the log is called again.
    func expectedContextLength(in pipeline: TrackingPipeline) -> Int

    /// The envelope context of an event at a time. Called under the locks of the dispatcher and the log; alive until the
    /// next event is appended.
    ///
    /// - Returns: nil if the person has opted out meanwhile, or the install is to be looked up.
    func envelopeContext(
        of kind: EventKind, at time: EventTime, _ permission: Permission, in pipeline: TrackingPipeline
    ) -> Unmanaged<EnvelopeContext.Buffer>?
}

/// The person whose identity the tracker has: the identified user, or the anonymous person.
struct PresentPerson: EventAuthor {
    var user: User? { nil }

    @inline(__always)
    func permission(for kind: EventKind, in pipeline: TrackingPipeline) -> Void? {
        let sender = pipeline.sender
        if sender.isHolding { return sender.dropReasonWhileHolding(kind.purpose) == nil ? () : nil }
        return EventKind.isDenied(sender.restrictions(at: pipeline.logGeneration) & kind.restrictionBits) ? nil : ()
    }

    @inline(__always)
    func expectedContextLength(in pipeline: TrackingPipeline) -> Int {
        pipeline.sender.contextLength.load(ordering: .relaxed)
    }

    @inline(__always)
    func envelopeContext(
        of kind: EventKind, at time: EventTime, _: Void, in pipeline: TrackingPipeline
    ) -> Unmanaged<EnvelopeContext.Buffer>? { pipeline.envelopeContext(of: kind, at: time) }
}

/// The person and the session of the call, for an event that has waited for the answer of the present person.
extension WaitingEvent: EventAuthor {
    var user: User? { held.user }

    func permission(for kind: EventKind, in pipeline: TrackingPipeline) -> Void? { () }

    func expectedContextLength(in pipeline: TrackingPipeline) -> Int {
        pipeline.sender.contextLength.load(ordering: .relaxed)
    }

    func envelopeContext(
        of kind: EventKind, at time: EventTime, _: Void, in pipeline: TrackingPipeline
    ) -> Unmanaged<EnvelopeContext.Buffer>? {
        guard let install = pipeline.install(at: pipeline.logGeneration) else { return nil }
        let made = EnvelopeContext(install, sessionID: sessionID, userID: person)
        pipeline.current.pointee.waited = made
        return Unmanaged.passUnretained(made.buffer)
    }
}
