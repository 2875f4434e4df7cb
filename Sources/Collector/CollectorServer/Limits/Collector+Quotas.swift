internal import DeliveryProtocol
internal import EventModel

extension Collector {
    /// Consumes a request's events and bytes from the quotas of its install and of its key: from all of them, or from
    /// none.
    ///
    /// - Parameters:
    ///   - events: The request's ``/CollectorStore/Submission/work``.
    ///   - bytes: The size of the decompressed body.
    ///   - install: nil for other systems' clients, who share the install of their app.
    ///   - request: What the client resends.
    /// - Throws: ``DeliveryProblem``, `overQuota`.
    func charge(
        events: Int, bytes: Int, to key: AccessKey, install: String?, at now: EventTime, _ request: String
    ) throws(DeliveryProblem) {
        guard key.kind == .write else { return }
        var charges = [(keyQuota, events, key.id, "key", "events"), (keyByteQuota, bytes, key.id, "key", "bytes")]
        // An install that sends too much must not use up the quota of its key, which other installs share.
        if let install {
            charges.insert((installQuota, events, install, "install", "events"), at: 0)
            charges.insert((installByteQuota, bytes, install, "install", "bytes"), at: 1)
        }
        for (index, (quota, amount, sender, whose, unit)) in charges.enumerated() {
            guard let wait = quota.consume(amount, of: sender, at: now) else { continue }
            for (quota, amount, sender, _, _) in charges[..<index] { quota.refund(amount, of: sender) }
            throw DeliveryProblem(
                .overQuota, "the \(whose) exceeds its quota of \(unit); resend the \(request) later",
                retryAfter: advice.seconds(atLeast: wait, at: now))
        }
    }
}
