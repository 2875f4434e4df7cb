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
    ///   - address: The client's; empty if it is unknown.
    ///   - request: What the client resends.
    /// - Throws: ``DeliveryProblem``, `overQuota`.
    func charge(
        events: Int, bytes: Int, to key: AccessKey, install: String?, from address: String, at now: EventTime,
        _ request: String
    ) throws(DeliveryProblem) {
        guard key.kind == .write else { return }
        let isKnown = install.map(known.contains) ?? false
        var consumed: [(quota: EventQuota, amount: Int, sender: String)] = []
        func consume(
            _ quota: EventQuota, _ amount: Int, of sender: String, leaving reserve: Double = 0,
            unless isFree: Bool = false, failing what: String
        ) throws(DeliveryProblem) {
            guard let wait = quota.consume(amount, of: sender, at: now, leaving: reserve) else {
                return consumed.append((quota, amount, sender))
            }
            if isFree { return }
            for (quota, amount, sender) in consumed { quota.refund(amount, of: sender) }
            throw DeliveryProblem(
                .overQuota, "the \(what); resend the \(request) later",
                retryAfter: advice.seconds(atLeast: wait, at: now))
        }
        for (unit, amount, quotas) in [("events", events, eventQuotas), ("bytes", bytes, byteQuotas)] {
            // An install that sends too much must not use up the quota of its key, which other installs share.
            if let install {
                try consume(quotas.install, amount, of: install, failing: "install exceeds its quota of \(unit)")
            }
            if !address.isEmpty, !settings.isBehindProxy {
                try consume(
                    quotas.address, amount, of: "\(key.id) \(address)",
                    unless: quotas.key.fill(of: key.id, at: now) >= 0.75,
                    failing: "address exceeds its share of the key's quota of \(unit)")
            }
            try consume(
                quotas.key, amount, of: key.id, leaving: isKnown ? 0 : 0.5, failing: "key exceeds its quota of \(unit)")
        }
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
