internal import ArgumentParser
internal import CommandSupport
internal import TrackingPlan

/// The folder that a command about schemas works on.
struct SchemaFolderArgument: ParsableArguments {
    @Argument(help: "The folder with events/, and container/ if it is not an app's.")
    var folder = "Schemas"

    /// The files of the folder.
    ///
    /// - Throws: ``CommandFailure``: `noInput` if there is no such folder, `inputOutput` if it cannot be read.
    func read() throws -> PlanFolder {
        do throws(PlanError) { return try PlanFolder(path: folder) } catch { throw CommandFailure(error) }
    }

    /// The plan of a folder.
    ///
    /// - Throws: ``CommandFailure``, `dataAtFault`, if it is none.
    func plan(_ folder: PlanFolder) throws -> EventPlan {
        do throws(PlanError) { return try EventPlan(folder) } catch { throw CommandFailure(error) }
    }
}
