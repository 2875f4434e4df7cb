/// How long sessions are, and how many events they have. Memory is flat: past ``maximumSessions`` only a sample of them
/// is looked at, chosen by hash.
package struct SessionStatistics: Sendable {
    /// How many are looked at at most.
    package static let maximumSessions = 1 << 15

    private struct Session {
        var first = Int64.max
        var last = Int64.min
        var count = 0

        /// In whole seconds.
        var seconds: Int {
            let (length, overflow) = last.subtractingReportingOverflow(first)
            return Int((overflow ? .max : length) / 1_000_000)
        }
    }

    private var sessions: HashSample<Session>

    init(maximumSessions: Int = Self.maximumSessions) { sessions = HashSample(limit: maximumSessions) }

    @inline(__always)
    mutating func add(session: UInt64, time: Int64) {
        sessions.update(session, first: Session()) { session in
            session.first = min(session.first, time)
            session.last = max(session.last, time)
            session.count += 1
        }
    }

    /// How many sessions each that was looked at stands for; 1 if all were.
    package var scale: Int { sessions.scale }

    /// From a session's first event to its last.
    package var seconds: SessionFigures {
        SessionFigures(sessions.values.map(\.seconds), scale, starts: [0, 1, 10, 60, 300, 900, 1800, 3600])
    }

    /// A session's events.
    package var events: SessionFigures {
        SessionFigures(sessions.values.map(\.count), scale, starts: [1, 2, 3, 6, 11, 21, 51, 101])
    }
}

/// How a whole number differs from session to session.
package struct SessionFigures: Sendable {
    /// Sessions of nearly the same number.
    package struct Class: Sendable, Equatable {
        /// The lowest number.
        package let from: Int
        /// The highest number; nil for no limit.
        package let through: Int?
        /// How many sessions; of a sample, how many are expected.
        package let count: Int
    }

    /// In the order of their numbers, empty ones too.
    package let classes: [Class]
    /// The lower one of the two in the middle; 0 without sessions.
    package let median: Int
    /// 0 without sessions.
    package let highest: Int

    /// - Parameters:
    ///   - scale: How many sessions each of the values stands for.
    ///   - starts: Where the classes begin, in order.
    init(_ values: [Int], _ scale: Int, starts: [Int]) {
        let sorted = values.sorted()
        classes = starts.enumerated().map { position, start in
            let next = position + 1 < starts.count ? starts[position + 1] : nil
            let count = sorted.count { $0 >= start && $0 < next ?? .max }
            return Class(from: start, through: next.map { $0 - 1 }, count: count * scale)
        }
        median = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 2]
        highest = sorted.last ?? 0
    }
}
