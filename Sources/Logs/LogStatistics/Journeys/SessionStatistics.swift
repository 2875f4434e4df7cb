/// The length of sessions, and their number of events. Memory is constant: above ``maximumSessions``, only a sample
/// is followed, chosen by hash.
package struct SessionStatistics: Sendable {
    /// The most sessions that are followed.
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

    /// The number of sessions that each sampled session represents; 1 without sampling.
    package var scale: Int { sessions.scale }

    /// The time from a session's first event to its last, in seconds.
    package var seconds: SessionFigures {
        SessionFigures(sessions.values.map(\.seconds), scale, starts: [0, 1, 10, 60, 300, 900, 1800, 3600])
    }

    package var events: SessionFigures {
        SessionFigures(sessions.values.map(\.count), scale, starts: [1, 2, 3, 6, 11, 21, 51, 101])
    }
}

/// The distribution of a number over sessions.
package struct SessionFigures: Sendable {
    /// A range of numbers.
    package struct Class: Sendable, Equatable {
        /// The lowest number.
        package let from: Int
        /// The highest number; nil for no limit.
        package let through: Int?
        /// The number of sessions; extrapolated for a sample.
        package let count: Int
    }

    /// In ascending order, including empty ranges.
    package let classes: [Class]
    /// The lower median; 0 without sessions.
    package let median: Int
    /// The highest number; 0 without sessions.
    package let highest: Int

    /// - Parameters:
    /// - scale: The number of sessions that each value represents.
    /// - starts: The starts of the ranges, ascending.
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
