internal import TextRendering

/// The values that a test was run with: behind its sentence if all are short, else a line each below it.
struct CaseList {
    /// Characters of the longest one that reads well behind a sentence.
    private static let longestInline = 30
    /// More are only counted.
    private static let most = 20

    private let cases: [String]

    init(_ cases: [String]) { self.cases = cases }

    private var shown: ArraySlice<String> { cases.prefix(Self.most) }
    private var isInline: Bool { shown.allSatisfy { $0.count <= Self.longestInline } }
    private var more: String? { cases.count > Self.most ? "and \(cases.count - Self.most) more" : nil }
    private var codes: [String] { shown.map { MarkdownText.code($0, inTable: false) } + [more].compactMap { $0 } }

    /// What stands behind the sentence.
    var inline: String { isInline && !cases.isEmpty ? ": \(codes.joined(separator: ", "))" : "" }

    /// What stands below it.
    var items: [String] { isInline ? [] : codes }
}
