internal import EventLog
internal import EventModel
internal import Primitives

// The pipeline before the log is open or the storage can be read.
extension TrackingPipeline {
    /// Holds an event until the log is open. The event then gets its number, its session and its container.
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

    /// Drops held events.
    func dropHeld(_ events: [HeldEvent], _ reason: DropReason) {
        for event in events {
            drop(event.kind.name, reason, at: event.time)
            event.claim?.settle(.success(nil))
        }
    }

    /// Sets the device and the user, now that the storage can be read.
    func adopt(deviceID: String, userID: String) {
        changeSender { sender in
            sender.adopted = (deviceID, userID)
            if sender.userID == DeferredStorage.unknownDeviceID { sender.userID = userID }
            if sender.deviceID == DeferredStorage.unknownDeviceID { sender.deviceID = deviceID }
            sender.envelopeContext = nil
        }
        held?.adopt(userID)
    }

    /// The identity of a user, now that the storage can be read, and whether it is only the device's id.
    func identity(of userID: String, isDevice: Bool) -> (userID: String, isDevice: Bool) {
        guard userID == DeferredStorage.unknownDeviceID, let adopted = sender.withLock({ $0.adopted }) else {
            return (userID, isDevice)
        }
        return (adopted.userID, adopted.userID == adopted.deviceID)
    }

    /// Continues with the log that was opened.
    func wasOpened(_ log: any EventStore, session: SessionRule) {
        useDirectly(log)
        let userID = changeSender { sender in
            sender.session = session
            return sender.userID
        }
        lookUpConsent()
        expectEnvelopeContext(of: userID)
    }

    /// Appends an event that was held. Runs under the dispatcher's lock, while nothing else is appended.
    ///
    /// - Parameter container: The destination of the event's container.
    /// - Returns: nil, or the drop reason. After a drop there is no container.
    func append(_ held: HeldEvent, to container: UnsafeMutablePointer<TrackingContainer>) -> DropReason? {
        guard consent(of: held.sender.userID) != .denied else { return .optedOut }
        if isSwitchedOff(held) { return .switchedOff }
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

    /// Ends the session because of a reset before a held event. Returns the session that ended.
    func endSession() -> String? {
        changeSender { sender in
            sender.envelopeContext = nil
            return sender.session.end()
        }
    }

    /// The number of resets of the environment.
    var resets: Int { sender.withLock { $0.resets } }
}
