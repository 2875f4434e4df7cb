internal import DeliveryProtocol
internal import EventLog
internal import EventModel
internal import Primitives

// Remote switches. They act before an event gets its number.
extension TrackingPipeline {
    /// The switches' reason to drop an event; nil if there is none. The first event after the expiry ends the switches.
    @inline(never)
    func dropReason(ofSwitchedEvent name: String, at time: EventTime) -> DropReason? {
        guard let active = activeSwitches.load(ordering: .acquiring) else { return nil }
        return active._withUnsafeGuaranteedRef { switches in
            guard !switches.isExpired(at: time) else {
                endSwitches(active)
                return nil
            }
            if switches.isOff(name) { return .switchedOff }
            return switches.allows(at: time) ? nil : .runaway
        }
    }

    /// Whether the switches turn an event off that was held. The rate of held events was limited when they were sent.
    func isSwitchedOff(_ held: HeldEvent) -> Bool {
        guard let active = activeSwitches.load(ordering: .acquiring) else { return false }
        return active._withUnsafeGuaranteedRef { !$0.isExpired(at: held.time) && $0.isOff(held.kind.name) }
    }

    /// Uses a document from now on, unless it has expired. Call it in the order of the documents' versions.
    func use(_ document: SwitchesDocument) {
        guard !document.isExpired(at: now) else { return }
        // Other threads may use a former object without a retain, so each lives as long as the pipeline.
        keptSwitches.withLock { kept in
            if kept.last?.document != document { kept.append(ActiveSwitches(document)) }
            activeSwitches.store(Unmanaged.passUnretained(kept[kept.count - 1]), ordering: .releasing)
            flusher.use(document.flush, until: document.expiresAt)
        }
    }

    /// Applies the switches to a flusher that has been set.
    func switchFlusher() {
        guard let active = activeSwitches.load(ordering: .acquiring) else { return }
        let document = active._withUnsafeGuaranteedRef { $0.document }
        flusher.use(document.flush, until: document.expiresAt)
    }

    /// Returns to the app's own settings, unless newer switches are in effect.
    @inline(never)
    private func endSwitches(_ expired: Unmanaged<ActiveSwitches>) {
        // Locked, so that the flusher can't lose the values of a newer document that is applied at the same time.
        keptSwitches.withLock { _ in
            let (isEnded, _) = activeSwitches.compareExchange(
                expected: expired, desired: nil, ordering: .acquiringAndReleasing)
            if isEnded { flusher.use(nil, until: nil) }
        }
    }
}
