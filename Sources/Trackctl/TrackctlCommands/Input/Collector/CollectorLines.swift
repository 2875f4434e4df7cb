internal import DeliveryHTTP
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles

/// The lines that a collector stores, page by page, each once. For one thread at a time.
final class CollectorLines {
    /// The collector as messages name it.
    let name: String
    private let client: CollectorClient
    private let selection: LinesSelection
    private let input: Int
    /// Where the next page starts.
    private var cursor = ""
    private var lines: Int64 = 0
    /// Whether the collector has said that there is nothing more now.
    private var isAtEnd = false

    /// Prepares to read from the first line on. Sends nothing.
    ///
    /// - Parameter input: The input's place among all.
    init(_ client: CollectorClient, input: Int, selection: EventSelection) {
        self.client = client
        self.input = input
        self.selection = LinesSelection(selection)
        name = "\(client.base)"
    }

    /// The next lines; nil at the end. Retries what may succeed later.
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

    /// Asks again behind the last line: there may be new ones.
    func goOn() { isAtEnd = false }

    /// The lines of one page; nil if it has none. The cursor moves only with a page that was read whole.
    ///
    /// - Throws: `CollectorError`.
    func page() throws -> LineChunk? {
        let (client, cursor, selection) = (client, cursor, selection)
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

    /// Whether the last page said that there may be more.
    var hasMore: Bool { !isAtEnd }
}

extension LinesSelection {
    /// What a collector can leave out. It never leaves out more than the selection does.
    init(_ selection: EventSelection) {
        self.init()
        func only(_ matchers: [TextMatcher]) -> String? {
            guard matchers.count == 1, let exact = matchers[0].exact, !exact.isEmpty else { return nil }
            return String(validating: exact, as: UTF8.self)
        }
        user = only(selection.users)
        schema = only(selection.names)
        // Before 1970 or far in the future no collector needs to be asked.
        let times = 0..<1_000_000_000_000_000_000
        from = selection.since.flatMap { times.contains(Int($0.microseconds)) ? $0 : nil }
        to = selection.until.flatMap { times.contains(Int($0.microseconds)) ? $0 : nil }
    }
}
