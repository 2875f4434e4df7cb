internal import TextRendering

/// A Markdown page (GitHub flavor) of what an app does, with one sentence for each test. The same tests give the same
/// bytes: the page has no times, no source locations, and does not depend on the order of the run.
package struct BehaviourPage {
    /// The first line of every page.
    static let mark = "\(start): edits are overwritten. -->"
    private static let start = "<!-- Written by `trackctl behaviour`"

    private let title: String
    private let targets: [BehaviourSuite]
    private let showsCases: Bool

    /// - Parameters:
    /// - title: The page's heading.
    /// - targets: The test targets. If there is only one, its name is left out.
    /// - showsCases: Whether to list the arguments of parameterized tests.
    package init(title: String, targets: [BehaviourSuite], showsCases: Bool = true) {
        self.title = title
        self.targets = targets
        self.showsCases = showsCases
    }

    /// Whether a file's first line marks it as such a page, with the mark of any version.
    package static func isWritten(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: Array(start.utf8)) }

    package var text: String {
        let claim =
            targets.contains(where: \.isMarked)
            ? "Each sentence is the name of a test. The test passed unless marked otherwise."
            : "Each sentence is the name of a test that passed."
        let body = targets.count == 1 ? content(targets[0], level: 1) : targets.flatMap { section($0, level: 2) }
        return ([Self.mark, "# \(MarkdownText.plain(title))", claim] + body).joined(separator: "\n\n") + "\n"
    }

    private func section(_ suite: BehaviourSuite, level: Int) -> [String] {
        let marks = String(repeating: "#", count: level)
        return ["\(marks) \(MarkdownText.plain(suite.title))\(Self.note(suite.outcome))"] + content(suite, level: level)
    }

    /// The content below a heading: tests and conditions as a list, then the suites with headings.
    private func content(_ suite: BehaviourSuite, level: Int) -> [String] {
        let listed = suite.suites.filter { Self.isListed($0, level: level + 1) }
        let list = items(suite.tests, listed, depth: 0)
        return (list.isEmpty ? [] : [list.joined(separator: "\n")])
            + suite.suites.filter { !Self.isListed($0, level: level + 1) }.flatMap { section($0, level: level + 1) }
    }

    /// Whether to show a suite as a list item: it is a condition, or is nested deeper than Markdown has headings.
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

    /// The marker of a test that did not pass.
    private static func note(_ outcome: TestOutcome) -> String {
        switch outcome {
        case .passed: ""
        case .failed: " — **fails**"
        case .knownIssue: " — **known issue**"
        case .skipped(let reason): " — **skipped**" + (reason.map { ": \(MarkdownText.plain($0))" } ?? "")
        case .notRun: " — **not run**"
        }
    }
}

/// The arguments of a test: after its sentence if all are short, otherwise as a list below it.
struct CaseList {
    /// The longest argument that is shown inline, in characters.
    private static let longestInline = 30
    /// Arguments shown; further ones are counted.
    private static let most = 20

    private let cases: [String]

    init(_ cases: [String]) { self.cases = cases }

    private var shown: ArraySlice<String> { cases.prefix(Self.most) }
    private var isInline: Bool { shown.allSatisfy { $0.count <= Self.longestInline } }
    private var more: String? { cases.count > Self.most ? "and \(cases.count - Self.most) more" : nil }
    private var codes: [String] { shown.map { MarkdownText.code($0, inTable: false) } + [more].compactMap { $0 } }

    /// The arguments after the sentence.
    var inline: String { isInline && !cases.isEmpty ? ": \(codes.joined(separator: ", "))" : "" }

    /// The arguments below the sentence.
    var items: [String] { isInline ? [] : codes }
}

/// The name of a suite that is a condition: it begins with Given, When, Then, And or But.
struct Condition {
    private let keyword: Substring
    private let rest: Substring

    /// Returns nil for any other name.
    init?(_ title: String) {
        keyword = title.prefix { !$0.isWhitespace }
        guard ["given", "when", "then", "and", "but"].contains(keyword.lowercased()) else { return nil }
        rest = title.dropFirst(keyword.count)
    }

    /// The name with its first word in bold.
    var markdown: String { "**\(keyword)**\(MarkdownText.plain(String(rest)))" }
}
