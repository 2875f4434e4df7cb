internal import ArgumentParser
internal import CommandSupport
internal import Foundation
internal import TrackingPlan

/// Which plan lines are checked against.
struct PlanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The folder with container/ and events/; with events/ alone it is added to the SDK's own schemas \
            (default: Schemas).
            """, valueName: "folder"))
    var schemas: String?

    /// The plan to check against.
    ///
    /// - Throws: `PlanError`; ``CommandFailure``, `noInput`.
    func plan() throws -> ScanPlan {
        if let schemas { return try ScanPlan(folder: schemas) }
        do {
            return try ScanPlan(folder: Self.defaultFolder)
        } catch let error as PlanError where error.code == .noFolder {
            throw CommandFailure(
                .noInput, "there is no folder \(Self.defaultFolder) here: name the folder with events/ by --schemas")
        }
    }

    /// The plan to check against; nil if no folder was named, and there is none of the default's name.
    ///
    /// - Throws: `PlanError`; ``CommandFailure``, `noInput`.
    func planIfThere() throws -> ScanPlan? {
        if schemas == nil, !FileManager.default.fileExists(atPath: Self.defaultFolder) { return nil }
        return try plan()
    }

    private static let defaultFolder = "Schemas"
}
