internal import ArgumentParser
internal import TrackingPlan

/// The folder that a command about schemas works on.
struct SchemaFolderArgument: ParsableArguments {
    @Argument(help: "The folder with events/, and container/ if it is not an app's.")
    var folder = "Schemas"

    /// The files of the folder.
    ///
    /// - Throws: `PlanError`: `noFolder`, `unreadable`.
    func read() throws -> PlanFolder {
        try PlanFolder(path: folder)
    }

    /// The plan of a folder.
    ///
    /// - Throws: `PlanError`, `notASchema`.
    func plan(_ folder: PlanFolder) throws -> EventPlan {
        try EventPlan(folder)
    }
}
