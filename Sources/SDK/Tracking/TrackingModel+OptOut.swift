extension TrackingModel {
    /// Where an opt-out is stored; nothing is there while the user is opted in.
    static let optOutKey = "opted_out"

    /// Whether the user has opted out.
    public var isOptedOut: Bool { pipeline.isOptedOut }

    /// Opts the user out or in again; it survives a restart.
    ///
    /// Opting out drops what is sent from now on, and removes what is queued and not delivered to all sinks; both
    /// are counted in the ledger. Opting in brings nothing of that back.
    // The steps: `keepOptOut` stores it and makes `TrackingPipeline` drop each event from then on; the log's
    // `discardUndelivered()` removes the undelivered events; `TrackingEnvironment.live` calls that once more at the next
    // start, in case the process ended in between.
    public func setOptedOut(_ isOptedOut: Bool) async {
        take(.optedOut(isOptedOut))
        guard isOptedOut else { return }
        do { try await log.discardUndelivered() } catch { diagnostics(.log(error)) }
    }

    /// What of an opt-out happens before ``setOptedOut(_:)`` waits for anything.
    func keepOptOut(_ isOptedOut: Bool) {
        store(isOptedOut ? "true" : nil, forKey: Self.optOutKey)
        pipeline.setOptedOut(isOptedOut)
    }
}
