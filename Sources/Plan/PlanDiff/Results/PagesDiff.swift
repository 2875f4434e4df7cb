internal import TrackingPlan

/// The changes of an app's pages. Pages have no versions: adding a page breaks nothing, removing one breaks old lines.
package struct PagesDiff: Sendable {
    /// A page change that breaks old lines or their readers.
    package struct Break: Hashable, Sendable {
        /// The kind of change.
        package enum Kind: String, Hashable, Sendable {
            /// The list no longer has the page.
            case removed
            /// Its views must now carry `additional`.
            case additionalRequired = "additional-required"
            /// Its views can no longer carry `additional`.
            case additionalRemoved = "additional-removed"
        }

        /// The kind of change.
        package let kind: Kind
        package let page: String

        /// The page, the change and what to do.
        package var description: String {
            switch kind {
            case .removed:
                "\(page): page removed, old lines are no longer valid: restore it, with \"deprecated\": true if no screen "
                    + "shows it any more"
            case .additionalRequired:
                "\(page): additional is now required, old lines without it are no longer valid: set its required to false, or "
                    + "add a page with another name"
            case .additionalRemoved:
                "\(page): additional removed, old lines with it are no longer valid: restore it, with required set to false, or "
                    + "add a page with another name"
            }
        }
    }

    /// The names of the pages that only the new plan has, in the order of the file. Empty without an old plan.
    package let added: [String]
    /// The changes that break old lines, in the order of the old file.
    package let breaks: [Break]

    /// - Parameter old: The old pages; nil if they were not listed, so that any page was valid.
    init(old: PlannedPages?, new: PlannedPages?) {
        let before = old?.pages ?? []
        let after = new?.pages ?? []
        added = after.map(\.name).filter { name in !before.contains { $0.name == name } }
        breaks = before.compactMap { page in
            Self.kind(page.additional.map(\.isRequired), now: new?[page.name]).map { Break(kind: $0, page: page.name) }
        }
    }

    /// Returns the kind of breaking change of a page; nil if nothing breaks.
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
