internal import TextRendering

/// What an app does, in the words of its tests, in Markdown (GitHub's form). The same tests give the same bytes: no times, no
/// places and nothing of the order in which they ran.
package struct BehaviourPage {
    /// The first line of every page.
    static let mark = "<!-- Written by `trackctl behaviour`: what is changed here is lost. -->"

    private let title: String
    private let targets: [BehaviourSuite]
    private let showsCases: Bool

    /// - Parameters:
    ///   - title: What stands above the page.
    ///   - targets: What it shows. The name of one alone is left out.
    ///   - showsCases: Whether tests with parameters say their values.
    package init(title: String, targets: [BehaviourSuite], showsCases: Bool = true) {
        self.title = title
        self.targets = targets
        self.showsCases = showsCases
    }

    /// Whether a file was written as such a page: its first line says so.
    package static func isWritten(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: Array("\(mark)\n".utf8)) }

    /// The whole page.
    package var text: String {
        let claim =
            targets.contains(where: \.isMarked)
            ? "Each sentence is the name of a test that passed, but for those that say what became of them."
            : "Each sentence is the name of a test that passed."
        let body = targets.count == 1 ? content(targets[0], level: 1) : targets.flatMap { section($0, level: 2) }
        return ([Self.mark, "# \(MarkdownText.plain(title))", claim] + body).joined(separator: "\n\n") + "\n"
    }

    private func section(_ suite: BehaviourSuite, level: Int) -> [String] {
        let marks = String(repeating: "#", count: level)
        return ["\(marks) \(MarkdownText.plain(suite.title))\(Self.note(suite.outcome))"] + content(suite, level: level)
    }

    /// What stands under a heading: tests and conditions as a list, then the suites that have headings.
    private func content(_ suite: BehaviourSuite, level: Int) -> [String] {
        let listed = suite.suites.filter { Self.isListed($0, level: level + 1) }
        let list = items(suite.tests, listed, depth: 0)
        return (list.isEmpty ? [] : [list.joined(separator: "\n")])
            + suite.suites.filter { !Self.isListed($0, level: level + 1) }.flatMap { section($0, level: level + 1) }
    }

    /// Whether a suite stands in a list: it is a condition, or stands deeper than Markdown has headings.
    private static func isListed(_ suite: BehaviourSuite, level: Int) -> Bool {
        level > 6 || Condition(suite.title) != nil
    }

    private func items(_ tests: [BehaviourTest], _ suites: [BehaviourSuite], depth: Int) -> [String] {
        tests.flatMap { item($0, depth: depth) }
            + suites.flatMap { suite in
                let text = Condition(suite.title)?.markdown ?? "**\(MarkdownText.plain(suite.title))**"
                return [Self.item(text + Self.note(suite.outcome), depth: depth)]
                    + items(suite.tests, suite.suites, depth: depth + 1)
            }
    }

    private func item(_ test: BehaviourTest, depth: Int) -> [String] {
        let cases = showsCases ? CaseList(test.cases) : nil
        let text = MarkdownText.paragraph(test.sentence) + (cases?.inline ?? "") + Self.note(test.outcome)
        return [Self.item(text, depth: depth)] + (cases?.items ?? []).map { Self.item($0, depth: depth + 1) }
    }

    private static func item(_ text: String, depth: Int) -> String {
        "\(String(repeating: "  ", count: depth))- \(text)"
    }

    /// What a reader must know of a test that did not simply pass.
    private static func note(_ outcome: TestOutcome) -> String {
        switch outcome {
        case .passed: ""
        case .failed: " — **it fails**"
        case .knownIssue: " — **a known issue**"
        case .skipped(let reason): " — **skipped**" + (reason.map { ": \(MarkdownText.plain($0))" } ?? "")
        case .notRun: " — **not run**"
        }
    }
}

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

/// The name of a suite that says under which condition its tests hold: it begins with Given, When, Then, And or But.
struct Condition {
    private let keyword: Substring
    private let rest: Substring

    /// Nil for any other name.
    init?(_ title: String) {
        keyword = title.prefix { !$0.isWhitespace }
        guard ["given", "when", "then", "and", "but"].contains(keyword.lowercased()) else { return nil }
        rest = title.dropFirst(keyword.count)
    }

    /// The name with its first word in bold.
    var markdown: String { "**\(keyword)**\(MarkdownText.plain(String(rest)))" }
}
