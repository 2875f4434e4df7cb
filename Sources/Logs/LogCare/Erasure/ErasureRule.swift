internal import EventLog
internal import EventModel

/// Which lines an erasure takes: a user's, and those of others that name the user if that is asked for.
struct ErasureRule: Sendable {
    /// What becomes of a line.
    enum Fate: Sendable {
        case stays
        /// It stays, although it names the user.
        case staysAsMention
        case goes
    }

    let matcher: UserMatcher
    let removesMentions: Bool

    /// What becomes of a line, without its line feed.
    ///
    /// - Parameter isRecording: As ``UserMatcher/verdict(_:isRecording:)`` has it.
    func fate(of line: UnsafeRawBufferPointer, isRecording: Bool = false) -> Fate {
        switch matcher.verdict(line, isRecording: isRecording) {
        case .other: .stays
        case .mention: removesMentions ? .goes : .staysAsMention
        case .theirs: .goes
        }
    }

    /// Whether an event goes.
    func erases(_ event: BorrowedEvent) -> Bool { fate(of: event.line) == .goes }
}

extension ErasedPlace {
    /// Counts a line.
    ///
    /// - Parameters:
    ///   - number: The event's, or the line's.
    ///   - bytes: With its line feed, in a file of lines.
    mutating func count(_ fate: ErasureRule.Fate, _ number: Int64, bytes: Int) {
        switch fate {
        case .stays: break
        case .staysAsMention: addMention(number)
        case .goes:
            removed += 1
            self.bytes += Int64(bytes)
        }
    }
}
