internal import CommandSupport
internal import Foundation
internal import TrackingPlan

/// Writes files beside schemas.
struct SchemaFiles {
    let folder: PlanFolder

    /// Writes files; each is the old or the new one at any moment, never half of it.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func write(_ files: [PlanFile]) throws {
        for file in files {
            let place = folder.place(of: file.path)
            do { try Data(file.bytes).write(to: URL(fileURLWithPath: place), options: .atomic) } catch {
                throw CommandFailure(writing: place, error)
            }
        }
    }
}
