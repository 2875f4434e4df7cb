import Foundation
import Testing

/// The Swift code of the README and the articles is part of this package: all of it compiles, and most of it runs.
@Suite("README and articles")
struct ArticleTests {
    private struct Article: Sendable, CustomTestStringConvertible {
        let path: String
        /// The number of its snippets.
        let snippets: Int
        var testDescription: String { path }
    }

    private static let articles = [
        Article(path: "README.md", snippets: 3),
        Article(path: "Sources/SDK/Tracking/Tracking.docc/Tracking.md", snippets: 1),
        Article(path: "Sources/SDK/Tracking/Tracking.docc/GettingStarted.md", snippets: 1),
        Article(path: events, snippets: 5),
        Article(path: "Sources/SDK/Tracking/Tracking.docc/Pages.md", snippets: 4),
        Article(path: "Sources/SDK/Tracking/Tracking.docc/Users.md", snippets: 6),
        Article(path: "Sources/SDK/Tracking/Tracking.docc/RemoteSwitches.md", snippets: 2),
        Article(path: "Sources/SDK/Tracking/Tracking.docc/WhatCanBeLost.md", snippets: 1),
        Article(path: "Sources/SDK/Tracking/Tracking.docc/Flux.md", snippets: 2),
        Article(path: "Sources/SDK/TrackingTesting/TrackingTesting.docc/TrackingTesting.md", snippets: 3),
        Article(path: "Sources/SDK/TrackingCore/TrackingCore.docc/Recording.md", snippets: 1),
    ]

    /// The files with the code. Code of views is built with the stubs of Apple's modules.
    private static let code = [
        "Tests/SDK/ArticleTests/StartSnippets.swift", "Tests/SDK/ArticleTests/EventSnippets.swift",
        "Tests/SDK/ArticleTests/FluxSnippets.swift",
        "tools/apple-stubs/AppleAdapterTests/ArticleViews.swift",
    ]

    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized

    static let events = "Sources/SDK/Tracking/Tracking.docc/Events.md"

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The block of code after a marker in an article.
    static func block(_ language: String, after marker: String, in article: String) throws -> String {
        let text = try text(article)
        let start = try #require(text.range(of: "\(marker)\n```\(language)\n"))
        let end = try #require(text.range(of: "```\n", range: start.upperBound..<text.endIndex))
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// JSON without the line breaks and the indentation of an article.
    static func squeezed(_ json: String) -> String {
        json.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
            .replacing(#/(?<separator>[:,]) /#) { $0.separator }.replacing("{ ", with: "{").replacing(" }", with: "}")
    }

    /// The code without imports, `@main`, comments, blank lines and indentation.
    private static func normalized(_ code: String) -> String {
        code.split(separator: "\n")
            .map { String($0).replacing(#/\ *// .*/#, with: "").trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && $0 != "@main" && !$0.hasPrefix("import ") }
            .joined(separator: "\n")
    }

    @Test("the tests compile each Swift snippet", arguments: articles)
    private func snippets(article: Article) throws {
        let code = try Self.code.map { Self.normalized(try Self.text($0)) }
        let parts = try Self.text(article.path).components(separatedBy: "<!-- snippet").dropFirst()
        #expect(parts.count == article.snippets)
        for part in parts {
            let start = try #require(part.range(of: "-->\n```swift\n"))
            let end = try #require(part.range(of: "```\n", range: start.upperBound..<part.endIndex))
            let snippet = Self.normalized(String(part[start.upperBound..<end.lowerBound]))
            #expect(!snippet.isEmpty)
            #expect(code.contains { $0.contains(snippet) }, "no test compiles this code:\n\(snippet)")
        }
    }

    @Test("the README has at most 150 lines, and each file that it links to exists")
    func readme() throws {
        let readme = try Self.text("README.md")
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
        let links = readme.matches(of: /\]\(([^)]+)\)|(?:src|srcset)="([^"]+)"/).compactMap { $0.1 ?? $0.2 }
        #expect(links.count > 20)
        for link in links where !link.contains("://") {
            let path = Self.root.appendingPathComponent(String(link.prefix { $0 != "#" })).path
            #expect(FileManager.default.fileExists(atPath: path), "\(link)")
        }
    }

    /// The catalogs whose articles are also read on GitHub.
    private static let catalogs = [
        "Sources/SDK/Tracking/Tracking.docc", "Sources/SDK/TrackingTesting/TrackingTesting.docc",
    ]

    /// DocC omits HTML blocks, and GitHub omits links with the scheme `doc`. Therefore, articles with links have both.
    @Test("each link to an article works in DocC and on GitHub", arguments: catalogs)
    private func links(catalog: String) throws {
        let folder = Self.root.appendingPathComponent(catalog)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        #expect(names.count > 2)
        for name in names {
            let text = try Self.text("\(catalog)/\(name)")
            let linked = Set(text.matches(of: /[<(]doc:(\w+)[>)]/).map { "\($0.1).md" })
            let hrefs = text.matches(of: /<a href="([^"#]+)/).map { String($0.1) }
            #expect(linked.subtracting(hrefs) == [], "\(name) has no link for GitHub to these articles")
            for path in linked.union(hrefs) {
                let file = folder.appendingPathComponent(path).standardized.path
                #expect(FileManager.default.fileExists(atPath: file), "\(name) links to \(path)")
            }
        }
    }
}
