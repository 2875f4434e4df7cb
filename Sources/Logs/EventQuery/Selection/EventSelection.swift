package import EventModel

/// Selects events. All criteria must hold; of several values for a criterion, any may match.
package struct EventSelection: Sendable {
    /// Patterns of the event's name; empty for all.
    package var names: [TextMatcher] = []
    /// Values of `user_id`; empty for all.
    package var users: [TextMatcher] = []
    /// Values of `session_id`; empty for all.
    package var sessions: [TextMatcher] = []
    /// Values of `id`, as in lines; empty for all.
    package var ids: [TextMatcher] = []
    /// The start of the time range, inclusive; nil for no limit.
    package var since: EventTime?
    /// The end of the time range, exclusive; nil for no limit.
    package var until: EventTime?
    package var conditions: [Condition] = []
    package var sample: EventSample?
    /// Selects only events after the cursor.
    package var after: EventCursor?

    package init() {}

    package var isOpen: Bool {
        names.isEmpty && since == nil && until == nil && after == nil && !needsLine
    }

    /// Whether the criteria need more than an event's time, name and number.
    package var needsLine: Bool {
        !users.isEmpty || !sessions.isEmpty || !ids.isEmpty || !conditions.isEmpty || sample != nil
    }

    /// The members of a line that the criteria need.
    package var members: EventLineScanner.Members {
        var members = conditions.reduce(into: EventLineScanner.Members.event) { $0.formUnion($1.members) }
        if !users.isEmpty { members.insert(.userID) }
        if !sessions.isEmpty { members.insert(.sessionID) }
        if !ids.isEmpty { members.insert(.id) }
        if since != nil || until != nil { members.insert(.time) }
        if after != nil { members.formUnion([.installID, .seq]) }
        return members
    }

    /// Whether an event is selected, by its line.
    package func accepts(_ line: EventLine) -> Bool {
        if !names.isEmpty, !names.contains(where: { line.matches(line.name, $0) }) { return false }
        if since != nil || until != nil {
            guard let time = line.time else { return false }
            if let since, time < since { return false }
            if let until, time >= until { return false }
        }
        if let after, !after.isBefore(line) { return false }
        return acceptsRest(line)
    }

    /// Whether an event of a database is selected, as far as its columns show.
    package func accepts(_ event: BorrowedEvent) -> Bool {
        if let since, event.time < since { return false }
        if let until, event.time >= until { return false }
        return names.isEmpty || names.contains { $0.matches(event.name) }
    }

    /// Whether an event that ``accepts(_:)`` selected by its columns is selected by its line, too.
    package func acceptsRest(_ line: EventLine) -> Bool {
        if !users.isEmpty, !users.contains(where: { line.matches(line.userID, $0) }) { return false }
        if !sessions.isEmpty, !sessions.contains(where: { line.matches(line.sessionID, $0) }) { return false }
        if !ids.isEmpty, !ids.contains(where: { line.matches(line.id, $0) }) { return false }
        if !conditions.allSatisfy({ $0.holds(line) }) { return false }
        return sample?.accepts(line) ?? true
    }

    /// The criteria that a database can apply to its columns.
    package var rows: EventRowFilter {
        EventRowFilter(names: names.map(\.sqliteGlob), since: since, until: until)
    }
}

/// A sample of events, the same in every run: it has either all events with the same key value, or none.
package struct EventSample: Sendable {
    private let key: EventPath
    /// Hashes below the bound are in the sample; nil for all.
    private let bound: UInt64?

    /// Parses a share: `10%`, `0.5%` or `0.1`.
    ///
    /// - Parameter key: The key's path. Events without it are not in the sample.
    /// - Returns: nil unless the share is above 0 and at most 1.
    package init?(share text: String, key: EventPath) {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text) else { return nil }
        let share = isPercent ? number / 100 : number
        guard share > 0, share <= 1 else { return nil }
        self.key = key
        bound = share == 1 ? nil : UInt64(share * 0x1p64)
    }

    func accepts(_ line: EventLine) -> Bool {
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

    /// FNV-1a (64 bits) with the finalizer of MurmurHash3. Unlike Swift's hashes, it is the same on every machine and
    /// in every version.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
