internal import DeliveryHTTP
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles

/// Reads a collector's stored lines page by page, each line once. Not thread-safe.
final class CollectorLines {
    /// The collector's name in messages.
    let name: String
    private let client: CollectorClient
    private let selection: LinesSelection
    private let input: Int
    /// The cursor of the next page.
    private var cursor = ""
    private var lines: Int64 = 0
    /// Whether the collector has reported that there are no more lines for now.
    private var isAtEnd = false

    /// Prepares to read from the first line. Sends nothing.
    ///
    /// - Parameter input: The input's index.
    init(_ client: CollectorClient, input: Int, selection: EventSelection) {
        self.client = client
        self.input = input
        self.selection = LinesSelection(selection)
        name = "\(client.base)"
    }

    /// The next lines; nil at the end. Retries transient errors.
    ///
    /// - Throws: `CollectorError`, ``CommandFailure``; `LogFileError`, `interrupted`.
    func next() throws -> LineChunk? {
        var patience = CollectorPatience()
        while !isAtEnd {
            do {
                if let chunk = try page() { return chunk }
            } catch let error as CollectorError where !Interruption.isRequested {
                guard Interruption.wait(try patience.wait(after: error, hasAnswered: lines > 0)) else { break }
            }
        }
        try Interruption.check()
        return nil
    }

    /// Continues after the last line, to read new lines.
    func goOn() { isAtEnd = false }

    /// The lines of one page; nil if it is empty. The cursor advances only after a page was read completely.
    ///
    /// - Throws: `CollectorError`.
    func page() throws -> LineChunk? {
        let client = client
        let cursor = cursor
        let selection = selection
        let page = try BlockingCall.run { () async throws(CollectorError) in
            try await client.lines(after: cursor, selection)
        }
        self.cursor = page.cursor
        isAtEnd = !page.hasMore
        guard !page.lines.isEmpty else { return nil }
        let before = lines
        lines += Int64(page.lines.count { $0 == 0x0A })
        return LineChunk(input: input, linesBefore: before, bytes: page.lines)
    }

    /// Whether the last page reported more lines.
    var hasMore: Bool { !isAtEnd }
}

extension LinesSelection {
    /// The part of a selection that the collector can apply. It may return more lines than the selection, never
    /// fewer.
    init(_ selection: EventSelection) {
        self.init()
        func only(_ matchers: [TextMatcher]) -> String? {
            guard matchers.count == 1, let exact = matchers[0].exact, !exact.isEmpty else { return nil }
            return String(validating: exact, as: UTF8.self)
        }
        user = only(selection.users)
        schema = only(selection.names)
        // Times outside this range are not sent.
        let times = 0..<1_000_000_000_000_000_000
        from = selection.since.flatMap { times.contains(Int($0.microseconds)) ? $0 : nil }
        to = selection.until.flatMap { times.contains(Int($0.microseconds)) ? $0 : nil }
    }
}
