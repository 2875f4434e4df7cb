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
        classes = starts.enumerated().map { place, start in
            let next = place + 1 < starts.count ? starts[place + 1] : nil
            let count = sorted.count { $0 >= start && $0 < next ?? .max }
            return Class(from: start, through: next.map { $0 - 1 }, count: count * scale)
        }
        median = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 2]
        highest = sorted.last ?? 0
    }
}
