/// The path of a test: its target, the enclosing suites, and the test.
struct TestPath: Hashable {
    let module: String
    /// The names in code of the enclosing suites, outermost first, then of the test or suite itself.
    let names: [String]

    /// Parses a test id of an event stream: `ShopTests.BasketTests/Empty/price(of:)/BasketTests.swift:13:10`, or a
    /// suite's: `ShopTests.BasketTests/Empty`.
    init?(id: String) {
        var parts = Self.split(id, at: "/")
        if parts.count > 1, Self.isLocation(parts[parts.count - 1]) { parts.removeLast() }
        let first = Self.split(parts[0], at: ".")
        guard first.count > 1 else { return nil }
        module = first[0]
        names = [first.dropFirst().joined(separator: ".")] + parts.dropFirst()
    }

    /// Whether the path is within a target, or within suites of a target: `ShopTests.BasketTests/Empty`.
    func isWithin(_ filter: String) -> Bool {
        let parts = Self.split(filter, at: "/")
        let first = Self.split(parts[0], at: ".")
        guard first[0] == module else { return false }
        let wanted = (first.count > 1 ? [first.dropFirst().joined(separator: ".")] : []) + parts.dropFirst()
        return names.starts(with: wanted)
    }

    /// The parts between separators. Within backticks a name may contain separators.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var isRaw = false
        return text.split(omittingEmptySubsequences: false) { character in
            if character == "`" { isRaw.toggle() }
            return character == separator && !isRaw
        }.map(String.init)
    }

    /// Whether a part is a file with line and column.
    private static func isLocation(_ part: String) -> Bool {
        let parts = part.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count > 2 && parts.suffix(2).allSatisfy { Int($0) != nil }
    }
}

/// A position in the sources.
struct SourcePosition: Hashable, Comparable {
    /// `ShopTests/BasketTests.swift`.
    let file: String
    /// From 1.
    let line: Int64
    /// From 1.
    let column: Int64

    /// By file, line and column.
    static func < (left: Self, right: Self) -> Bool {
        guard left.file == right.file else { return left.file.utf8.lexicographicallyPrecedes(right.file.utf8) }
        return (left.line, left.column) < (right.line, right.column)
    }
}

extension String {
    /// The words of a name in code: `testRowTapped_opensDetail()` gives `row tapped, opens detail`, `PostcodeTests`
    /// gives `postcode`. Names in backticks stay unchanged.
    var sentence: String {
        if first == "`", let end = dropFirst().firstIndex(of: "`") {
            return String(self[index(after: startIndex)..<end])
        }
        var name = prefix { $0 != "(" }
        if name.hasPrefix("test"), name.dropFirst(4).first?.isUppercase ?? false { name = name.dropFirst(4) }
        for end in ["Tests", "Test", "Suite"] where name.hasSuffix(end) && name.count > end.count {
            name = name.dropLast(end.count)
            break
        }
        return name.split(separator: "_").map(\.words).joined(separator: ", ")
    }

    /// The sentence with an initial capital, for headings.
    var title: String { sentence.prefix(1).uppercased() + sentence.dropFirst() }
}

extension Substring {
    /// The words of a camel-case name. An abbreviation in capitals, such as `URL`, stays one word.
    fileprivate var words: String {
        var words: [Substring] = []
        var start = startIndex
        for index in indices.dropFirst() where self[index].isUppercase {
            let next = self.index(after: index)
            let endsCapitals = next < endIndex && self[next].isLowercase
            guard endsCapitals || !self[self.index(before: index)].isUppercase else { continue }
            words.append(self[start..<index])
            start = index
        }
        words.append(self[start...])
        return words.map { $0.allSatisfy { !$0.isLowercase } && $0.count > 1 ? String($0) : $0.lowercased() }
            .joined(separator: " ")
    }
}
