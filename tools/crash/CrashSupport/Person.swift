/// A user of the harness `erasure`, who does the same things in every run.
package struct Person: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let prefix = "person-"

    /// What a user does besides sending events.
    package enum Role: String, CaseIterable, Sendable {
        /// Nothing else.
        case plain
        /// Denies and grants consent.
        case answers
        /// Is erased, once.
        case leaves
    }

    /// The run in which the user appeared.
    package let run: Int
    /// The user's number in that run.
    package let number: Int

    package init(run: Int, number: Int) {
        self.run = run
        self.number = number
    }

    /// Reads an id such as `person-0003-0017`; nil for another text, also for one that is cut off.
    package init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == Self.digits }), let run = Int(parts[0]),
            let number = Int(parts[1])
        else { return nil }
        self.init(run: run, number: number)
    }

    /// `user_id` of the user's events.
    package var description: String { "\(Self.prefix)\(Self.padded(run))-\(Self.padded(number))" }

    private static let digits = 4

    private static func padded(_ number: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    package var role: Role {
        switch number % 10 {
        case 0, 3, 6, 9: .plain
        case 1, 4: .answers
        default: .leaves
        }
    }

    package static func < (left: Self, right: Self) -> Bool { (left.run, left.number) < (right.run, right.number) }
}
