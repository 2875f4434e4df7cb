/// Where a test stands: its target, the suites around it, and itself.
struct TestPath: Hashable {
    /// The target's module.
    let module: String
    /// The names of the suites in the code, from the outermost, and of the test or the suite itself at last.
    let names: [String]

    /// Reads what a stream calls a test: `ShopTests.BasketTests/Empty/price(of:)/BasketTests.swift:13:10`, or a suite:
    /// `ShopTests.BasketTests/Empty`.
    init?(id: String) {
        var parts = Self.split(id, at: "/")
        if parts.count > 1, Self.isPlace(parts[parts.count - 1]) { parts.removeLast() }
        let first = Self.split(parts[0], at: ".")
        guard first.count > 1 else { return nil }
        module = first[0]
        names = [first.dropFirst().joined(separator: ".")] + parts.dropFirst()
    }

    /// Whether it is, or stands in, what a person names as the target, or as the target, a dot and suites:
    /// `ShopTests.BasketTests/Empty`.
    func isWithin(_ filter: String) -> Bool {
        let parts = Self.split(filter, at: "/")
        let first = Self.split(parts[0], at: ".")
        guard first[0] == module else { return false }
        let wanted = (first.count > 1 ? [first.dropFirst().joined(separator: ".")] : []) + parts.dropFirst()
        return names.starts(with: wanted)
    }

    /// The parts between separators that do not stand in backticks, within which a name is free.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var isRaw = false
        return text.split(omittingEmptySubsequences: false) { character in
            if character == "`" { isRaw.toggle() }
            return character == separator && !isRaw
        }.map(String.init)
    }

    /// Whether it is a file with a line and a column.
    private static func isPlace(_ part: String) -> Bool {
        let parts = part.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count > 2 && parts.suffix(2).allSatisfy { Int($0) != nil }
    }
}
