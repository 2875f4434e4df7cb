// The results of a writer's calls.
extension JournalWriter {
    /// The result of an append.
    package enum Outcome: Equatable {
        case accepted(Int64)
        case dropped(EventDropped)
        /// The ring was sealed: continue in a new ring, and append again.
        case sealed
    }

    /// The work to start after an append.
    package struct Wakes: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        static let mover = Wakes(rawValue: 1)
        /// Call ``JournalWriter/startRefill()``.
        static let supply = Wakes(rawValue: 2)
    }

    /// The result of counting a drop.
    enum CountOutcome {
        case counted(wakesMover: Bool)
        case refused
        /// As for an append.
        case sealed
    }
}
