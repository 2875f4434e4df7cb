internal import TrackingPlan

/// What became of an app's pages. A page needs no version: one that is added breaks nothing, one that is gone breaks old lines.
package struct PagesDiff: Sendable {
    /// A page that isn't what it was, so that old lines, or readers of them, break.
    package struct Break: Hashable, Sendable {
        /// What happened to the page.
        package enum Kind: String, Hashable, Sendable {
            /// The list doesn't have the page any more.
            case removed
            /// Its views must carry `additional` now, and needn't before.
            case additionalRequired = "additional-required"
            /// Its views can't carry `additional` any more.
            case additionalRemoved = "additional-removed"
        }

        /// What happened to the page.
        package let kind: Kind
        /// The name of the page.
        package let page: String

        /// The page, what happened and what to do.
        package var description: String {
            switch kind {
            case .removed:
                "\(page): page removed, old lines are no longer valid: put it back, with \"deprecated\": true if no screen "
                    + "shows it any more"
            case .additionalRequired:
                "\(page): additional is required now, old lines without it are no longer valid: set its required to false, or "
                    + "add a page of another name"
            case .additionalRemoved:
                "\(page): additional removed, old lines with it are no longer valid: put it back, with required set to false, or "
                    + "add a page of another name"
            }
        }
    }

    /// The names of the pages that the old plan doesn't have, in the order of the file. None without an old plan.
    package let added: [String]
    /// What breaks old lines, in the order of the old file.
    package let breaks: [Break]

    /// - Parameter old: The pages as they were; nil if they were not listed, so that any page was valid.
    init(old: PlannedPages?, new: PlannedPages?) {
        let (before, after) = (old?.pages ?? [], new?.pages ?? [])
        added = after.map(\.name).filter { name in !before.contains { $0.name == name } }
        breaks = before.compactMap { page in
            Self.kind(page.additional.map(\.isRequired), now: new?[page.name]).map { Break(kind: $0, page: page.name) }
        }
    }

    /// What breaks if a page becomes another.
    ///
    /// - Parameter old: Whether its views had to carry `additional`; nil if they could not.
    static func kind(_ old: Bool?, now page: PlannedPage?) -> Break.Kind? {
        guard let page else { return .removed }
        switch (old, page.additional?.isRequired) {
        case (nil, true?), (false?, true?): return .additionalRequired
        case (_?, nil): return .additionalRemoved
        default: return nil
        }
    }
}
