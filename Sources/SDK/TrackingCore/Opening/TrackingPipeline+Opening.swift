internal import EventLog
internal import EventModel
internal import Primitives

// Before the log is open, or the storage can be read.
extension TrackingPipeline {
    /// Holds an event until the log is open: its number, its session and its container come then.
    func hold(
        _ event: any TrackingEvent, _ kind: EventKind, at time: EventTime, value: UnsafeRawBufferPointer,
        claim: HeldEventClaim?
    ) -> HeldEvents.Outcome {
        guard let held else { return .passed }
        guard value.count <= TrackingContainer.maximumLineLength else { return .dropped(.tooLarge) }
        return held.hold {
            HeldEvent(
                event: event, kind: kind, id: ids.eventID(at: time), time: time, value: Array(value),
                sender: sender.withLock { ($0.userID, $0.resets) }, claim: claim)
        }
    }

    /// Drops what is held.
    func dropHeld(_ events: [HeldEvent], _ reason: DropReason) {
        for event in events {
            drop(event.kind.name, reason, at: event.time)
            event.claim?.settle(.success(nil))
        }
    }

    /// Takes over who the device and the user are, now that the storage can be read.
    func adopt(deviceID: String, userID: String, isOptedOut: Bool) {
        changeSender { sender in
            sender.adopted = (deviceID, userID)
            if sender.userID == DeferredStorage.unknownDeviceID { sender.userID = userID }
            if sender.deviceID == DeferredStorage.unknownDeviceID { sender.deviceID = deviceID }
            sender.envelopeContext = nil
        }
        held?.adopt(userID)
        guard isOptedOut else { return }
        hasFormerOptOut.store(true, ordering: .relaxed)
        refuse(for: userID == deviceID ? [userID] : [userID, deviceID])
    }

    /// Who a user is, now that the storage can be read, and whether that is known by the device's id only.
    func identity(of userID: String, isDevice: Bool) -> (userID: String, isDevice: Bool) {
        guard userID == DeferredStorage.unknownDeviceID, let adopted = sender.withLock({ $0.adopted }) else {
            return (userID, isDevice)
        }
        return (adopted.userID, adopted.userID == adopted.deviceID)
    }

    /// Goes on with the log that was opened.
    func wasOpened(_ log: any EventStore, session: SessionRule) {
        useDirectly(log)
        let userID = changeSender { sender in
            sender.session = session
            return sender.userID
        }
        lookUpConsent()
        expectEnvelopeContext(of: userID)
    }

    /// Appends an event that was held. Runs under the dispatcher's lock, when nothing else is appended.
    ///
    /// - Parameter container: Where the event's container comes to stand.
    /// - Returns: nil, or why the event was not taken: then there is no container.
    func append(_ held: HeldEvent, to container: UnsafeMutablePointer<TrackingContainer>) -> DropReason? {
        guard consent(of: held.sender.userID) != .denied else { return .optedOut }
        let installID = log.installID
        let envelopeContext = sender.withLock { sender in
            let sessionID = sender.session.session(at: held.time) { ids.uuid() }
            return EnvelopeContext(
                installID: installID, sessionID: sessionID, userID: held.sender.userID, context: context)
        }
        return held.value.withUnsafeBytes { value in
            let needed = room(for: held.kind, value, envelopeContext: envelopeContext.length)
            let result = log.append(lineCapacity: needed, priority: held.kind.priority) { seq, line in
                let length = ContainerLine.write(
                    id: held.id, seq: seq, time: held.time, envelopeContext: envelopeContext, kind: held.kind,
                    value: value,
                    to: line, limit: TrackingContainer.maximumLineLength)
                guard let length else { return nil }
                container.initialize(
                    to: TrackingContainer(
                        id: held.id, seq: seq, time: held.time, envelopeContext: envelopeContext, event: held.event))
                return EventStamp(id: held.id, time: held.time, name: held.kind.name, lineLength: length)
            }
            guard case .failure(let drop) = result else { return nil }
            return drop.reason ?? .tooLarge
        }
    }

    /// Ends the session, for a reset that came before an event that was held; gives the session that ended.
    func endSession() -> String? {
        changeSender { sender in
            sender.envelopeContext = nil
            return sender.session.end()
        }
    }

    /// How often the environment was reset.
    var resets: Int { sender.withLock { $0.resets } }
}
