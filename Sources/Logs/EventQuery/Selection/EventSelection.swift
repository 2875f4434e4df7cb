package import EventModel

/// Which events somebody wants. All that is given must hold; of several values for one thing, one.
package struct EventSelection: Sendable {
    /// Of the event's name; empty for every name.
    package var names: [TextMatcher] = []
    /// Of `user_id`; empty for every user.
    package var users: [TextMatcher] = []
    /// Of `session_id`; empty for every session.
    package var sessions: [TextMatcher] = []
    /// Of `id`, as lines write them; empty for every event.
    package var ids: [TextMatcher] = []
    /// Inclusive.
    package var since: EventTime?
    /// Exclusive.
    package var until: EventTime?
    package var conditions: [Condition] = []
    package var sample: EventSample?
    /// Only what comes after it.
    package var after: EventCursor?

    /// Everything.
    package init() {}

    /// Whether everything passes.
    package var isOpen: Bool {
        names.isEmpty && since == nil && until == nil && after == nil && !needsLine
    }

    /// Whether more than the time, the name and the number of an event decides.
    package var needsLine: Bool {
        !users.isEmpty || !sessions.isEmpty || !ids.isEmpty || !conditions.isEmpty || sample != nil
    }

    /// What must be looked for in a line to tell.
    package var members: EventLineScanner.Members {
        var members = conditions.reduce(into: EventLineScanner.Members.event) { $0.formUnion($1.members) }
        if !users.isEmpty { members.insert(.userID) }
        if !sessions.isEmpty { members.insert(.sessionID) }
        if !ids.isEmpty { members.insert(.id) }
        if since != nil || until != nil { members.insert(.time) }
        if after != nil { members.formUnion([.installID, .seq]) }
        return members
    }

    /// Whether an event is wanted, by its line.
    package func takes(_ line: EventLine) -> Bool {
        if !names.isEmpty, !names.contains(where: { line.matches(line.name, $0) }) { return false }
        if since != nil || until != nil {
            guard let time = line.time else { return false }
            if let since, time < since { return false }
            if let until, time >= until { return false }
        }
        if let after, !after.isBefore(line) { return false }
        return takesRest(line)
    }

    /// Whether an event of a database is wanted, as far as its columns tell.
    package func takes(_ event: BorrowedEvent) -> Bool {
        if let since, event.time < since { return false }
        if let until, event.time >= until { return false }
        return names.isEmpty || names.contains { $0.matches(event.name) }
    }

    /// Whether the line of an event that ``takes(_:)`` took by its columns is wanted, too.
    package func takesRest(_ line: EventLine) -> Bool {
        if !users.isEmpty, !users.contains(where: { line.matches(line.userID, $0) }) { return false }
        if !sessions.isEmpty, !sessions.contains(where: { line.matches(line.sessionID, $0) }) { return false }
        if !ids.isEmpty, !ids.contains(where: { line.matches(line.id, $0) }) { return false }
        if !conditions.allSatisfy({ $0.holds(line) }) { return false }
        return sample?.takes(line) ?? true
    }

    /// What a database can decide by its columns.
    package var rows: EventRowFilter {
        EventRowFilter(names: names.map(\.sqliteGlob), since: since, until: until)
    }
}

/// A share of all events, the same ones in every run: all events with one value of the key are in it, or none.
package struct EventSample: Sendable {
    private let key: EventPath
    /// A hash below it is in; nil takes all.
    private let bound: UInt64?

    /// Reads a share: `10%`, `0.5%` or `0.1`.
    ///
    /// - Parameter key: What decides; events without it are left out.
    /// - Returns: nil if that is no share above 0 and up to 1.
    package init?(share text: String, key: EventPath) {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text) else { return nil }
        let share = isPercent ? number / 100 : number
        guard share > 0, share <= 1 else { return nil }
        self.key = key
        bound = share == 1 ? nil : UInt64(share * 0x1p64)
    }

    func takes(_ line: EventLine) -> Bool {
        let hash: UInt64? =
            switch line.value(at: key) {
            case .text(let text): JSONText.withBytes(text) { Self.hash($0) }
            case .number(let bytes), .nested(let bytes): Self.hash(bytes)
            case .bool(let value): value ? 1 : 0
            case .null, nil: nil
            }
        guard let hash else { return false }
        return bound.map { hash < $0 } ?? true
    }

    /// FNV-1a of 64 bits, its bits mixed as the finalizer of MurmurHash3 does: the same on every machine and in every
    /// version, unlike Swift's own hashes.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
