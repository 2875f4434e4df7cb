internal import EventModel
package import TrackingPlan

/// The published pages of an app and what their views carry. Old lines refer to these pages.
///
/// ```text
/// article additional
/// basket
/// order-history optional
/// ```
///
/// Each line has the name of a page, followed by `additional` if every view of the page carries it, or `optional` if a
/// view may. Lines are sorted by the names' bytes. Pages are not separate files, so they are not in ``PlanLock``, which
/// `sha256sum -c` reads.
package struct PageLock: Hashable, Sendable {
    /// The path of the file within the folder.
    package static let path = "pages.lock"

    /// The value that views of a page carry.
    private enum Carrying: String { case additional, optional, nothing }

    private var pages: [String: Carrying] = [:]

    /// Whether the lock is empty.
    package var isEmpty: Bool { pages.isEmpty }

    /// Locks every page of a plan in its current form.
    package init(_ planned: PlannedPages?) {
        for page in planned?.pages ?? [] {
            pages[page.name] = page.additional.map { $0.isRequired ? .additional : .optional } ?? .nothing
        }
    }

    /// Reads a lock file.
    ///
    /// - Throws: ``PlanLockError`` for the first invalid line.
    package init(text: [UInt8]) throws(PlanLockError) {
        var previous = ""
        var lines = String(decoding: text, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            let carrying = words.count == 1 ? Carrying.nothing : Carrying(rawValue: words[1])
            guard let name = words.first, EventName.isValid(name), words.count <= 2, let carrying,
                (carrying == .nothing) == (words.count == 1)
            else { throw PlanLockError(line: index + 1, .notAPage) }
            guard previous.utf8.lexicographicallyPrecedes(name.utf8) else {
                throw PlanLockError(line: index + 1, .notInOrder)
            }
            pages[name] = carrying
            previous = name
        }
    }

    /// The content of the lock file.
    package var text: String {
        names.map { name in
            let carrying = pages[name] ?? .nothing
            return carrying == .nothing ? "\(name)\n" : "\(name) \(carrying.rawValue)\n"
        }.joined()
    }

    private var names: [String] { pages.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// Returns the pages that changed since they were locked in a way that breaks old lines.
    package func breaks(in planned: PlannedPages?) -> [PagesDiff.Break] {
        names.compactMap { name in
            let old: Bool? =
                switch pages[name] ?? .nothing {
                case .additional: true
                case .optional: false
                case .nothing: nil
                }
            return PagesDiff.kind(old, now: planned?[name]).map { PagesDiff.Break(kind: $0, page: name) }
        }
    }

    /// Returns the pages that are not locked yet, or allow more than when they were locked, sorted by the names' bytes.
    package func unlocked(in planned: PlannedPages?) -> [String] {
        let now = PageLock(planned)
        let broken = Set(breaks(in: planned).map(\.page))
        return now.names.filter { now.pages[$0] != pages[$0] && !broken.contains($0) }
    }

    /// Returns the lock with the pages of a plan added. A page that breaks old lines keeps its locked form.
    package func adding(_ planned: PlannedPages?) -> PageLock {
        let broken = Set(breaks(in: planned).map(\.page))
        var lock = self
        for (name, carrying) in PageLock(planned).pages where !broken.contains(name) { lock.pages[name] = carrying }
        return lock
    }
}
