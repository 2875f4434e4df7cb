internal import EventModel
package import TrackingPlan

/// Which pages of an app were published, and what their views carry: old lines name them for ever.
///
/// ```text
/// article additional
/// basket
/// order-history optional
/// ```
///
/// One line a page, in the order of the names' bytes: the name, and `additional` if every view of the page carries it, or
/// `optional` if a view may. Pages are no files of their own, so they are not in ``PlanLock``, which `sha256sum -c` reads.
package struct PageLock: Hashable, Sendable {
    /// The path of the file within the folder.
    package static let path = "pages.lock"

    /// What views of a page carry.
    private enum Carrying: String { case additional, optional, nothing }

    private var pages: [String: Carrying] = [:]

    /// Whether no page is locked.
    package var isEmpty: Bool { pages.isEmpty }

    /// Locks every page of a plan as it is now.
    package init(_ planned: PlannedPages?) {
        for page in planned?.pages ?? [] {
            pages[page.name] = page.additional.map { $0.isRequired ? .additional : .optional } ?? .nothing
        }
    }

    /// Reads a lock file.
    ///
    /// - Throws: ``PlanLockError`` with the first line that is none of a lock.
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

    /// The text of the file.
    package var text: String {
        names.map { name in
            let carrying = pages[name] ?? .nothing
            return carrying == .nothing ? "\(name)\n" : "\(name) \(carrying.rawValue)\n"
        }.joined()
    }

    private var names: [String] { pages.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// The pages that aren't what they were when they were locked: each breaks old lines.
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

    /// The pages that aren't locked yet, or allow more than when they were locked, in the order of the names' bytes.
    package func unlocked(in planned: PlannedPages?) -> [String] {
        let now = PageLock(planned)
        let broken = Set(breaks(in: planned).map(\.page))
        return now.names.filter { now.pages[$0] != pages[$0] && !broken.contains($0) }
    }

    /// The lock with the pages of a plan; a page that breaks old lines stays as it is locked.
    package func adding(_ planned: PlannedPages?) -> PageLock {
        let broken = Set(breaks(in: planned).map(\.page))
        var lock = self
        for (name, carrying) in PageLock(planned).pages where !broken.contains(name) { lock.pages[name] = carrying }
        return lock
    }
}
