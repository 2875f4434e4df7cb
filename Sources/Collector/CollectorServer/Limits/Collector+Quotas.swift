internal import CollectorIntake
internal import CollectorStore
internal import DeliveryProtocol
internal import EventModel

extension Collector {
    /// Consumes a request's events and bytes from the quotas of its install, address and key: from all of them, or from
    /// none.
    ///
    /// Half of a key's quota is for installs that were acknowledged on an earlier day. An address has a share only while the
    /// key has used up a quarter of its burst: many phones may share one.
    ///
    /// - Parameters:
    ///   - events: The request's ``/CollectorStore/Submission/work``.
    ///   - bytes: The size of the decompressed body.
    ///   - install: nil for other systems' clients, who share the install of their app.
    ///   - address: The client's; nil if it is unknown.
    ///   - request: What the client resends.
    /// - Throws: ``DeliveryProblem``, `overQuota`.
    func charge(
        events: Int, bytes: Int, to key: AccessKey, install: String?, from address: String?, at now: EventTime,
        _ request: String
    ) throws(DeliveryProblem) {
        guard key.kind == .write else { return }
        let isKnown = install.map(known.contains) ?? false
        let addressed = address.map { "\(key.id) \($0)" }
        var consumed: [(quota: EventQuota, amount: Int, sender: String)] = []
        func consume(
            _ quota: EventQuota, _ amount: Int, of sender: String, leaving reserve: Double = 0,
            unless isFree: Bool = false, failing what: @autoclosure () -> String
        ) throws(DeliveryProblem) {
            guard let wait = quota.consume(amount, of: sender, at: now, leaving: reserve) else {
                return consumed.append((quota, amount, sender))
            }
            if isFree { return }
            for (quota, amount, sender) in consumed { quota.refund(amount, of: sender) }
            throw DeliveryProblem(
                .overQuota, "the \(what()); resend the \(request) later",
                retryAfter: advice.seconds(atLeast: wait, at: now))
        }
        for (unit, amount, quotas) in [("events", events, eventQuotas), ("bytes", bytes, byteQuotas)] {
            // An install that sends too much must not use up the quota of its key, which other installs share.
            if let install {
                try consume(quotas.install, amount, of: install, failing: "install exceeds its quota of \(unit)")
            }
            if let addressed {
                try consume(
                    quotas.address, amount, of: addressed,
                    unless: quotas.key.fill(of: key.id, at: now) >= 0.75,
                    failing: "address exceeds its share of the key's quota of \(unit)")
            }
            try consume(
                quotas.key, amount, of: key.id, leaving: isKnown ? 0 : 0.5, failing: "key exceeds its quota of \(unit)")
        }
    }
}

extension Collector {
    /// The address by which a client is counted; nil if it is unknown, as behind a proxy.
    func client(_ address: String) -> String? { settings.isBehindProxy || address.isEmpty ? nil : address }

    /// Whose rejected work is counted: that of an address with a key; nil for an admin, and for an unknown address.
    private func sender(_ key: AccessKey?, from address: String?) -> String? {
        key?.kind == .admin ? nil : address.map { "\(key?.id ?? "") \($0)" }
    }

    /// Checks, before any work, whether the address has sent too much that was rejected.
    ///
    /// - Parameter key: nil if the request has not named one yet.
    /// - Throws: ``DeliveryProblem``, `overQuota`.
    func checkRejected(
        _ key: AccessKey?, from address: String?, at now: EventTime, _ request: String
    ) throws(DeliveryProblem) {
        guard let sender = sender(key, from: address), let wait = rejected.debt(of: sender, at: now) else { return }
        throw DeliveryProblem(
            .overQuota,
            "the address sends too much that is rejected; correct the requests, and resend the \(request) later",
            retryAfter: advice.seconds(atLeast: wait, at: now))
    }

    /// Charges the address with the work of a request that was rejected for what it contains.
    ///
    /// - Parameter events: The request's ``/CollectorStore/Submission/work``, as far as it is known.
    func note(
        rejected events: Int, bytes: Int, _ error: any Error, key: AccessKey?, from address: String?, at now: EventTime
    ) {
        guard let sender = sender(key, from: address) else { return }
        // The store has read rows for it, about as long as it validates eight times fewer lines.
        let isTooMuchWork = (error as? StoreError)?.code == .tooMuchWork
        guard isTooMuchWork || (error as? DeliveryProblem).map({ $0.code != .unavailable }) ?? false else { return }
        let rows = isTooMuchWork ? BatchStore.maximumRows / 8 : 0
        rejected.charge(max(1, events, bytes / IntakeLimits.bytesPerEvent, rows), to: sender, at: now)
    }
}

/// The quotas in one unit.
struct Quotas: Sendable {
    let key: EventQuota
    let install: EventQuota
    let address: EventQuota

    init(key: EventQuota.Rate, install: EventQuota.Rate) {
        self.key = EventQuota(key)
        self.install = EventQuota(install)
        address = EventQuota(key.ofAddress)
    }
}
