// What a writer answers.
extension JournalWriter {
    /// What became of an append.
    package enum Outcome: Equatable {
        case accepted(Int64)
        case dropped(EventDropped)
        /// The ring was sealed: the log must go on in a new one, and the append be made again.
        case sealed
    }

    /// Who has work to do after an append.
    package struct Wakes: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        static let mover = Wakes(rawValue: 1)
        /// ``JournalWriter/startRefill()`` is to be called.
        static let supply = Wakes(rawValue: 2)
    }

    /// What became of a count.
    enum CountOutcome {
        case counted(wakesMover: Bool)
        case refused
        /// As for an append.
        case sealed
    }
}
