/// The errors found, counted, with the first examples of each kind.
struct Findings {
    private static let maximumExamples = 5

    private(set) var counts: [Fault: Int] = [:]
    private(set) var examples: [Fault: [String]] = [:]

    /// Whether there are no errors.
    var isClean: Bool { counts.isEmpty }

    subscript(fault: Fault) -> Int { counts[fault] ?? 0 }

    /// Counts an error. The example is computed only if it is among the first.
    mutating func add(_ fault: Fault, count: Int = 1, _ example: @autoclosure () -> String) {
        guard count > 0 else { return }
        counts[fault, default: 0] += count
        if examples[fault, default: []].count < Self.maximumExamples { examples[fault, default: []].append(example()) }
    }

    static func += (left: inout Self, right: Self) {
        for (fault, count) in right.counts {
            left.counts[fault, default: 0] += count
            let room = maximumExamples - left.examples[fault, default: []].count
            left.examples[fault, default: []] += right.examples[fault, default: []].prefix(max(room, 0))
        }
    }

    /// Adds the errors that another comparison of the same data found in addition.
    mutating func complete(with other: Self) {
        for (fault, count) in other.counts where count > self[fault] {
            counts[fault] = count
            examples[fault] = other.examples[fault]
        }
    }

    /// Adds an error if no event was acknowledged, because then the comparison shows nothing.
    mutating func requireAcknowledged(_ runs: [Int: RunNotes]) {
        guard !runs.values.contains(where: { $0.kept > 0 }) else { return }
        add(.failed, "no event was acknowledged, so nothing was compared: see senders.log, or kill more often")
    }

    /// Says in each example where it was seen.
    mutating func prefix(with location: String) { examples = examples.mapValues { $0.map { "\(location): \($0)" } } }

    /// The examples as text, a line each.
    var report: String {
        Fault.allCases.compactMap { fault in
            counts[fault].map { count in
                "\(fault.rawValue): \(count), such as\n"
                    + (examples[fault] ?? []).map { "  \($0)\n" }.joined()
            }
        }.joined()
    }
}
