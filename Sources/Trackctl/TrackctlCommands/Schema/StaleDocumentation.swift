internal import PlanPages
internal import TrackingPlan

/// The out-of-date pages of `trackctl schema docs` next to the schemas. Empty if the folder has no such pages.
struct StaleDocumentation {
    /// The paths within the folder.
    let paths: [String]
    private let folder: PlanFolder

    init(of plan: EventPlan, in folder: PlanFolder) {
        self.folder = folder
        paths = PlanPage.files(of: plan).filter { page in
            guard let present = folder.file(page.path), PlanPage.isWritten(present) else { return false }
            return present.bytes != page.bytes
        }.map(\.path)
    }

    /// What to do.
    var advice: String { "out of date: run trackctl schema docs \(folder.name)" }

    /// All pages in one message; nil if there are none.
    var warning: String? {
        guard !paths.isEmpty else { return nil }
        return "\(paths.map(folder.location).joined(separator: ", ")): \(advice)"
    }
}
