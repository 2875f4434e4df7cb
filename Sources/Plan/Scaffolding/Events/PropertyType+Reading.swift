internal import Foundation

extension PropertyType {
    /// Parses a type name with an optional range, as in `integer=1...999`, or words separated by `|`.
    ///
    /// - Throws: The error and how to fix it.
    init(_ text: some StringProtocol) throws(NewProperty.Issue) {
        let parts = String(text).split(separator: "=" as Character, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        let name = parts[0]
        let range = parts.count > 1 ? parts[1] : nil
        switch name {
        case "integer": self = .integer(try range.map(Self.integers) ?? Self.anyInteger)
        case "string": self = .string(try range.map(Self.lengths) ?? Self.anyLength)
        case _ where range != nil && Self.names.contains(name):
            throw NewProperty.Issue(description: "'\(text)' has a range: only integer and string support ranges")
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
                "invalid type '\(text)': use \(names.joined(separator: ", ")), or words separated by |; "
                + "integer and string support a range, such as integer=1...999")
    }

    private static func integers(_ text: String) throws(NewProperty.Issue) -> ClosedRange<Int> {
        let range = try range(text)
        guard range.upperBound <= anyInteger.upperBound else {
            throw NewProperty.Issue(
                description: "invalid range '\(text)': an integer is at most \(anyInteger.upperBound) (2^53 − 1)")
        }
        guard range.lowerBound >= anyInteger.lowerBound else {
            throw NewProperty.Issue(
                description: "invalid range '\(text)': an integer is at least \(anyInteger.lowerBound) (−2^53 + 1)")
        }
        return range
    }

    private static func lengths(_ text: String) throws(NewProperty.Issue) -> ClosedRange<Int> {
        let range = try range(text)
        guard range.lowerBound >= 0 else {
            throw NewProperty.Issue(description: "invalid range '\(text)': the length of a string is at least 0")
        }
        guard range.upperBound > 0 else {
            throw NewProperty.Issue(
                description: "invalid range '\(text)': the maximum length of a string must be at least 1")
        }
        guard range.upperBound <= greatestLength else {
            throw NewProperty.Issue(
                description: "invalid range '\(text)': the length of a string is at most \(greatestLength)")
        }
        return range
    }

    /// Parses a range such as `1...999`.
    private static func range(_ text: String) throws(NewProperty.Issue) -> ClosedRange<Int> {
        let ends = text.components(separatedBy: "...").compactMap(number)
        guard ends.count == 2, text.components(separatedBy: "...").count == 2 else {
            throw NewProperty.Issue(
                description: "invalid range '\(text)': write the minimum and the maximum, such as 1...999")
        }
        guard ends[0] <= ends[1] else {
            throw NewProperty.Issue(
                description: "invalid range '\(text)': write the minimum first")
        }
        return ends[0]...ends[1]
    }

    /// Parses an integer. An overflow gives the largest integer, which is out of range as well.
    private static func number(_ text: String) -> Int? {
        if let number = Int(text) { return number }
        let digits = text.drop { $0 == "-" }
        guard !digits.isEmpty, text.count - digits.count < 2, digits.allSatisfy({ ("0"..."9").contains($0) }) else {
            return nil
        }
        return text.hasPrefix("-") ? .min : .max
    }

    private static func words(_ text: String) throws(NewProperty.Issue) -> [String] {
        let words = text.components(separatedBy: "|")
        let isPlain = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        }
        guard words.count > 1, isPlain else { throw unknown(text) }
        for (index, word) in words.enumerated() where words[..<index].contains(word) {
            throw NewProperty.Issue(description: "duplicate word \(word) in '\(text)': write each word once")
        }
        return words
    }
}
