package import CollectorIntake
package import CollectorStore
internal import Foundation
internal import Primitives

/// The rows of a store in order, for any number of viewers.
///
/// A viewer reads by cursor, so a slow viewer falls behind and never skips a row. Once a viewer has reached the end,
/// ``run()`` renders new rows once, and keeps the newest in memory for all viewers. A viewer that is further behind
/// reads the store.
///
/// Thread-safe.
package final class RowFeed: Sendable {
    package struct Options: Sendable {
        /// The most bytes of rendered rows to keep for viewers at the end.
        package var recentBytes = 16 << 20
        /// The time between a change and the read that sends it. Rows of that time are sent together.
        package var interval = Duration.milliseconds(100)
        /// The most time between two announcements, with or without new rows.
        package var heartbeat = Duration.seconds(15)

        package init() {}
    }

    /// Selected rows after a cursor.
    package struct Page: Sendable {
        package var rows: [RenderedRow] = []
        /// The cursor after all rows that were examined.
        package var next: RowCursor
        /// Whether the cursor is after the last stored row.
        package var isAtEnd = false
    }

    private let store: BatchStore
    private let schemas: SchemaKeeper
    private let options: Options
    private let blocking: Blocking
    private let state: Locked<State>
    private let arrivals = ChangeSignal()

    /// Runs a closure on a thread that may block.
    package typealias Blocking = @Sendable (@escaping @Sendable () -> Void) async -> Void

    private struct State {
        /// All batches after the receipt `start` up to `end`.
        var recent: ArraySlice<Rendered> = []
        var start: Int64 = 0
        var end: Int64 = 0
        var bytes = 0
        /// Counts ``forget()``: a read that began before must not be kept.
        var forgotten = 0
        var redaction: (plan: Int, redaction: PlanRedaction)?
        var viewers = 0
        /// Whether a viewer has reached the end, so that ``RowFeed/run()`` reads on from `end`.
        var isLive = false
    }

    private struct Rendered {
        let receipt: Int64
        let rows: [RenderedRow]
        let bytes: Int

        init(_ receipt: Int64, _ rows: [RenderedRow]) {
            self.receipt = receipt
            self.rows = rows
            bytes = rows.reduce(0) { $0 + $1.json.count + 128 }
        }
    }

    package init(
        _ store: BatchStore, schemas: SchemaKeeper, options: Options = .init(), blocking: @escaping Blocking
    ) {
        self.store = store
        self.schemas = schemas
        self.options = options
        self.blocking = blocking
        state = Locked(State())
    }

    package var viewers: Int { state.withLock { $0.viewers } }

    /// Passes new rows to viewers until the task is cancelled or the store is closed.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.passRows() }
            group.addTask {
                while await ContinuousClock().sleepUnlessCancelled(for: self.options.heartbeat) {
                    self.arrivals.announce()
                }
            }
            await group.next()
            group.cancelAll()
        }
        arrivals.announce(isLast: true)
    }

    private func passRows() async {
        var seen: UInt64 = 0
        while !Task.isCancelled, !store.changes.isClosed, !hasEnded {
            seen = await store.changes.next(after: seen)
            guard await ContinuousClock().sleepUnlessCancelled(for: options.interval) else { return }
            if state.withLock({ $0.isLive }) { await blocking { self.readEnd() } }
            arrivals.announce()
        }
    }

    /// Whether ``run()`` has ended, so that no more rows come.
    package var hasEnded: Bool { arrivals.isClosed }

    private func readEnd() {
        let redaction = redaction
        while true {
            let end = state.withLock { $0.end }
            // If it fails, each viewer reads the store itself, and gets the error.
            guard
                let page = try? storedPage(
                    after: RowCursor(endOf: end), filter: RowFilter(), redaction: redaction, byteLimit: 1 << 20),
                !page.isAtEnd
            else { return }
        }
    }

    /// Runs `body` for a viewer, who reads pages.
    package func withViewer<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        state.withLock { $0.viewers += 1 }
        defer {
            state.withLock { state in
                state.viewers -= 1
                if state.viewers == 0 {
                    state.isLive = false
                    Self.forget(&state)
                }
            }
        }
        return try await body()
    }

    /// What the current schemas mark as personal.
    package var redaction: PlanRedaction {
        let (plan, number) = schemas.plan
        if let known = state.withLock({ $0.redaction }), known.plan == number { return known.redaction }
        let made = PlanRedaction(plan)
        state.withLock { state in
            // Rows that were redacted by other schemas must not be shown any more.
            Self.forget(&state)
            state.redaction = (number, made)
        }
        return made
    }

    /// Removes the rows from memory. Call it after an erasure.
    package func forget() { state.withLock { Self.forget(&$0) } }

    private static func forget(_ state: inout State) {
        state.recent = []
        state.bytes = 0
        state.start = state.end
        state.forgotten += 1
    }

    /// Reads rows after a cursor. May block for the disk: call it from a thread that may block.
    ///
    /// - Parameter byteLimit: The size of rows in bytes at which a page ends, after at least one batch.
    /// - Throws: ``StoreError`` with `damaged` or `indexFailed`.
    package func page(
        after cursor: RowCursor, _ filter: RowFilter, byteLimit: Int = 256 << 10
    ) throws(StoreError) -> Page {
        if let page = recentPage(after: cursor, filter, byteLimit: byteLimit) { return page }
        return try storedPage(after: cursor, filter: filter, redaction: redaction, byteLimit: byteLimit)
    }

    /// As ``page(after:_:byteLimit:)``, from memory: never blocks; nil if the rows have to be read from the store.
    package func recentPage(after cursor: RowCursor, _ filter: RowFilter, byteLimit: Int = 256 << 10) -> Page? {
        // Removes rows that were redacted by other schemas.
        _ = redaction
        return recentPage(after: cursor, filter, byteLimit)
    }

    /// Reads one row; nil if there is none at the cursor. May block for the disk.
    ///
    /// - Throws: ``StoreError`` with `damaged` or `indexFailed`.
    package func row(at cursor: RowCursor) throws(StoreError) -> RenderedRow? {
        let (batches, _) = try store.wholeBatches(after: cursor.receipt - 1, limit: 1)
        guard let batch = batches.first, batch.receipt == cursor.receipt else { return nil }
        return RowRenderer(redaction).rows(of: batch).first { $0.cursor == cursor }
    }

    /// The number of the last announcement of new rows. Read it before a page, and pass it to ``awaitRows(after:)``.
    package var announcement: UInt64 { arrivals.last }

    /// Ends ``run()``: viewers get the rows that are stored, and no more. For a shutdown.
    package func end() { arrivals.announce(isLast: true) }

    /// Waits until there may be new rows, the time of a heartbeat has passed, ``run()`` has ended, or the task is
    /// cancelled.
    ///
    /// - Parameter announcement: ``announcement`` before the last page was read.
    package func awaitRows(after announcement: UInt64) async -> UInt64 {
        await arrivals.next(after: announcement)
    }

    private func recentPage(after cursor: RowCursor, _ filter: RowFilter, _ byteLimit: Int) -> Page? {
        // The batch of the cursor may have more rows.
        let found = state.withLock { state -> (batches: ArraySlice<Rendered>, isLive: Bool)? in
            let isMidBatch = cursor != RowCursor(endOf: cursor.receipt)
            guard cursor < RowCursor(endOf: state.end),
                isMidBatch ? cursor.receipt > state.start : cursor.receipt >= state.start
            else { return nil }
            // Receipts rise.
            var low = state.recent.startIndex
            var high = state.recent.endIndex
            while low < high {
                let middle = (low + high) / 2
                if state.recent[middle].receipt < cursor.receipt { low = middle + 1 } else { high = middle }
            }
            return (state.recent[low...], state.isLive)
        }
        guard let found else { return nil }
        var page = Page(next: cursor)
        var bytes = 0
        for batch in found.batches {
            guard bytes < byteLimit else { return page }
            bytes += select(batch, after: cursor, filter, into: &page)
        }
        // Later rows will be announced.
        page.isAtEnd = found.isLive
        return page
    }

    private func storedPage(
        after cursor: RowCursor, filter: RowFilter, redaction: PlanRedaction, byteLimit: Int
    ) throws(StoreError) -> Page {
        let forgotten = state.withLock { $0.forgotten }
        let isMidBatch = cursor != RowCursor(endOf: cursor.receipt)
        let first = isMidBatch ? cursor.receipt - 1 : cursor.receipt
        let (batches, next) = try store.wholeBatches(
            after: first, installID: filter.installID, byteLimit: byteLimit)
        let renderer = RowRenderer(redaction)
        var page = Page(next: cursor)
        var rendered: [Rendered] = []
        for batch in batches {
            let made = Rendered(batch.receipt, renderer.rows(of: batch))
            select(made, after: cursor, filter, into: &page)
            rendered.append(made)
        }
        page.next = max(page.next, RowCursor(endOf: next))
        page.isAtEnd = next == first
        guard filter.installID == nil else { return page }
        keep(rendered, from: first, to: next, ifForgotten: forgotten)
        if page.isAtEnd { state.withLock { $0.isLive = $0.viewers > 0 } }
        return page
    }

    @discardableResult
    private func select(
        _ batch: Rendered, after cursor: RowCursor, _ filter: RowFilter, into page: inout Page
    ) -> Int {
        var bytes = 0
        for row in batch.rows where row.cursor > cursor && filter.selects(row) {
            page.rows.append(row)
            bytes += row.json.count
        }
        page.next = max(page.next, RowCursor(endOf: batch.receipt))
        return bytes
    }

    /// Keeps batches that continue the newest ones.
    private func keep(_ batches: [Rendered], from start: Int64, to end: Int64, ifForgotten forgotten: Int) {
        state.withLock { state in
            guard state.forgotten == forgotten, end >= state.end else { return }
            if start > state.end {
                // A gap: the kept batches must be consecutive.
                state.recent = []
                state.bytes = 0
                state.start = start
            }
            for batch in batches where batch.receipt > state.end {
                state.recent.append(batch)
                state.bytes += batch.bytes
            }
            state.end = end
            while state.bytes > options.recentBytes, let oldest = state.recent.popFirst() {
                state.bytes -= oldest.bytes
                state.start = oldest.receipt
            }
        }
    }
}
