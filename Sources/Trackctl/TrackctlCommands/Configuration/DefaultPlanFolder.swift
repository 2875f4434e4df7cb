internal import CommandSupport
internal import Foundation
internal import TrackingPlan

/// Finds the folder of schemas when none is given: `Schemas` in the working directory, else the only
/// `Sources/*/Schemas` with a plan.
enum DefaultPlanFolder {
    /// The description in help texts.
    static let description = "Schemas, or Sources/*/Schemas if exactly one exists"

    private static let name = "Schemas"
    private static let sources = "Sources"

    /// Finds the folder.
    ///
    /// - Parameter how: How to pass another folder: `by --schemas`.
    /// - Throws: ``CommandFailure``: `noInput` if there is none, `usage` with the paths if there are several.
    static func find(passing how: String) throws -> String {
        let found = candidates
        guard let folder = found.first else {
            throw CommandFailure(
                .noInput,
                "no folder \(name) here, and no plan in \(sources)/*/\(name): pass the folder that has events/ \(how)"
            )
        }
        guard found.count == 1 else {
            throw CommandFailure(
                .usage, "several plans here: pass one of \(found.joined(separator: ", ")) \(how)")
        }
        return folder
    }

    /// The possible folders.
    static var candidates: [String] {
        if isFolder(name) { return [name] }
        // An unreadable folder is no candidate; if the caller passes it, reading it reports the error.
        let targets = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
        return targets.sorted().map { "\(sources)/\($0)/\(name)" }.filter { path in
            // The reason is lost, as above.
            isFolder(path) && (try? PlanFolder(path: path).hasPlan) ?? false
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
