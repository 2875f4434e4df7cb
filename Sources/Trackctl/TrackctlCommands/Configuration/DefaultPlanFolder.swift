internal import CommandSupport
internal import Foundation
internal import TrackingPlan

/// The folder of schemas for a command that got none: `Schemas` in the working directory, or else the only `Sources/*/Schemas`
/// that holds a plan, which is where an app's target has it.
enum DefaultPlanFolder {
    /// How help texts name it.
    static let description = "Schemas, or else the only Sources/*/Schemas"

    private static let name = "Schemas"
    private static let sources = "Sources"

    /// The folder.
    ///
    /// - Parameter how: How to pass another one: `by --schemas`.
    /// - Throws: ``CommandFailure``: `noInput` if there is none, `usage` with their paths if there are several.
    static func find(passing how: String) throws -> String {
        let found = candidates
        guard let folder = found.first else {
            throw CommandFailure(
                .noInput,
                "there is no folder \(name) here, and no plan in \(sources)/*/\(name): pass the folder with events/ \(how)"
            )
        }
        guard found.count == 1 else {
            throw CommandFailure(
                .usage, "there are several plans here: pass one of \(found.joined(separator: ", ")) \(how)")
        }
        return folder
    }

    /// The folders that may be meant.
    static var candidates: [String] {
        if isFolder(name) { return [name] }
        // A folder that can't be read has no plan to choose: the caller names it, and then hears why.
        let targets = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
        return targets.sorted().map { "\(sources)/\($0)/\(name)" }.filter { path in
            isFolder(path) && (try? PlanFolder(path: path).hasPlan) ?? false
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
