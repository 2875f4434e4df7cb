internal import Foundation

extension PropertyType {
    /// Reads a name, with `=1...999` behind it for a range; or words with `|` between them.
    ///
    /// - Throws: The reason why it is no type.
    init(_ text: some StringProtocol) throws(NewProperty.Issue) {
        let parts = String(text).split(separator: "=" as Character, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        let name = parts[0]
        let range = parts.count > 1 ? parts[1] : nil
        switch name {
        case "integer": self = .integer(try range.map(Self.integers) ?? Self.anyInteger)
        case "string": self = .string(try range.map(Self.lengths) ?? Self.anyLength)
        case _ where range != nil && Self.names.contains(name):
            throw NewProperty.Issue(description: "'\(text)' has a range, which only integer and string take")
        case _ where range != nil: throw Self.unknown(text)
        case "boolean": self = .boolean
        case "number": self = .number
        case _ where Self.formats.contains(name): self = .formatted(name)
        default: self = .words(try Self.words(name))
        }
    }

    private static func unknown(_ text: some StringProtocol) -> NewProperty.Issue {
        NewProperty.Issue(
            description:
                "'\(text)' is no type: there are \(names.joined(separator: ", ")), and words with | between them; "
                + "integer and string take a range, such as integer=1...999")
    }

    // MARK: Ranges

    private static func integers(_ text: String) throws(NewProperty.Issue) -> ClosedRange<Int> {
        let range = try range(text)
        guard range.upperBound <= anyInteger.upperBound else {
            throw NewProperty.Issue(
                description: "'\(text)' ends too late: an integer is at most \(anyInteger.upperBound) (2^53 − 1)")
        }
        guard range.lowerBound >= anyInteger.lowerBound else {
            throw NewProperty.Issue(
                description: "'\(text)' begins too early: an integer is at least \(anyInteger.lowerBound) (−2^53 + 1)")
        }
        return range
    }

    private static func lengths(_ text: String) throws(NewProperty.Issue) -> ClosedRange<Int> {
        let range = try range(text)
        guard range.lowerBound >= 0 else {
            throw NewProperty.Issue(description: "'\(text)' begins too early: a string's length is at least 0")
        }
        guard range.upperBound > 0 else {
            throw NewProperty.Issue(
                description: "'\(text)' leaves no room for text: a string's greatest length is at least 1")
        }
        guard range.upperBound <= greatestLength else {
            throw NewProperty.Issue(
                description: "'\(text)' ends too late: a string's length is at most \(greatestLength)")
        }
        return range
    }

    /// `1...999`.
    private static func range(_ text: String) throws(NewProperty.Issue) -> ClosedRange<Int> {
        let ends = text.components(separatedBy: "...").compactMap(number)
        guard ends.count == 2, text.components(separatedBy: "...").count == 2 else {
            throw NewProperty.Issue(
                description: "'\(text)' is no range: write the least and the greatest number, such as 1...999")
        }
        guard ends[0] <= ends[1] else {
            throw NewProperty.Issue(
                description: "'\(text)' runs backwards: write the least number first")
        }
        return ends[0]...ends[1]
    }

    /// A whole number; one that is too large for any integer is as good as the largest, which is too large as well.
    private static func number(_ text: String) -> Int? {
        if let number = Int(text) { return number }
        let digits = text.drop { $0 == "-" }
        guard !digits.isEmpty, text.count - digits.count < 2, digits.allSatisfy({ ("0"..."9").contains($0) }) else {
            return nil
        }
        return text.hasPrefix("-") ? .min : .max
    }

    // MARK: Words

    private static func words(_ text: String) throws(NewProperty.Issue) -> [String] {
        let words = text.components(separatedBy: "|")
        let isPlain = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        }
        guard words.count > 1, isPlain else { throw unknown(text) }
        for (index, word) in words.enumerated() where words[..<index].contains(word) {
            throw NewProperty.Issue(description: "'\(text)' has \(word) twice: write each word once")
        }
        return words
    }
}
