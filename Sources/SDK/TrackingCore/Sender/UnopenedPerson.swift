internal import EventLog
internal import EventModel
internal import Primitives

/// The present person while the log is not opened, because nothing is stored before the answer. The calls that are held are
/// performed here, too, on a log that stores nothing, so that each later call finds the consent that it would find in the
/// log.
final class UnopenedPerson: Sendable {
    /// Whether there is a log.
    let hasLog: Bool
    /// The user when the process started.
    let initialUser: String?
    private let log: UnopenedLog
    private let state: Locked<SenderState>

    /// - Parameters:
    ///   - setup: The tracker's.
    ///   - stored: What the log and the storage have.
    init(_ setup: SenderState.Setup, _ stored: StoredPerson) {
        hasLog = stored.consent.hasLog
        initialUser = stored.identity.userID
        log = UnopenedLog(stored.consent)
        var setup = setup
        setup.sharesIdentity = false
        setup.ids = NoIDs()
        var state = SenderState(setup, held: HeldCalls(maximumBytes: 0))
        // The log has the calls of a person with an id.
        let calls = stored.identity.isUnnamed ? stored.calls.all() : []
        _ = state.start(stored.identity, session: SessionRule(), log: log, after: calls)
        self.state = Locked(state)
    }

    func perform(_ call: SenderCall) { state.withLock { _ = $0.perform(call, log: log) } }

    /// The consent of a user, or of the present person.
    func rule(_ purpose: Purpose, of user: String? = nil) -> ConsentRule {
        state.withLock { $0.rule(log, purpose, of: user) }
    }

    var identity: LogIdentity { state.withLock { $0.identity } }

    /// Whether the person has no id.
    var isUnnamed: Bool { state.withLock { $0.identity.isUnnamed } }

    /// Whether anything may be stored. An answer counts also if neither plan nor events name its purpose.
    ///
    /// - Parameters:
    ///   - purposes: Those of the plan, and of the events that were sent.
    ///   - exempt: Whether an exempt event is held.
    func needsLog(_ purposes: [Purpose], exempt: Bool) -> Bool {
        state.withLock { state in
            purposes.contains { state.rule(log, $0).mayDeliver }
                || ([.analytics] + log.purposes).map { state.rule(log, $0) }
                    .contains { $0.status.isAnswered && (exempt || $0.mayDeliver) }
        }
    }
}

/// The stored values of the present person, read without creating or changing anything.
package struct StoredPerson {
    let identity: LogIdentity
    let consent: UnopenedConsent
    let calls: StoredCalls
}

/// Makes no ids: no event is sent with them. People still differ, also from everyone, whose id is empty.
private final class NoIDs: TrackingIDs {
    private let count = Atomic(0)
    func eventID(at time: EventTime) -> EventID { EventID(high: 0, low: 0) }
    func uuid() -> String { "\(count.wrappingAdd(1, ordering: .relaxed).newValue)" }
}

/// The consents of a log that is not opened.
private final class UnopenedLog: ForwardingEventStore {
    private struct Changes {
        var number: Int64
        var records: [ConsentSubject: ConsentRecord] = [:]
        var purposes: [Purpose]
    }

    let next: any EventStore = InMemoryEventStore(installID: "")
    private let stored: UnopenedConsent
    private let changes: Locked<Changes>

    init(_ stored: UnopenedConsent) {
        self.stored = stored
        changes = Locked(Changes(number: stored.lastNumber, purposes: stored.purposes))
    }

    var purposes: [Purpose] { changes.withLock { $0.purposes } }

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> { .failure(EventDropped(.notOpen)) }

    func consentRecord(of subject: ConsentSubject) -> ConsentRecord? {
        ConsentRecord.newer(stored.record(of: subject), changes.withLock { $0.records[subject] })
    }

    func addPurposes(_ purposes: [Purpose]) {
        changes.withLock { changes in
            for purpose in purposes where !changes.purposes.contains(purpose) && purpose != .exempt {
                changes.purposes.append(purpose)
            }
        }
    }

    func noteConsent(_ change: ConsentChange) -> NumberedConsentChange {
        addPurposes(change.purposes)
        let (number, purposes) = changes.withLock { changes in
            changes.number += 1
            return (changes.number, changes.purposes)
        }
        let records = change.records(number: number, purposes: purposes, consentRecord)
        changes.withLock { $0.records.merge(records) { ConsentRecord.newer($0, $1) ?? $1 } }
        return NumberedConsentChange(change, number: number, end: 0, records: records)
    }
}
