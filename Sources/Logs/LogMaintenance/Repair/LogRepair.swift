internal import Foundation

/// Makes the repairs that findings propose. Repairs lose nothing: damaged files are moved aside, never removed.
package struct LogRepair {
    private let remedies: [Remedy]

    package init(_ findings: [Finding]) {
        var remedies: [Remedy] = []
        for remedy in findings.compactMap(\.remedy) where !remedies.contains(remedy) { remedies.append(remedy) }
        // A rebuild also opens the log.
        self.remedies = remedies.filter { remedy in
            switch remedy {
            case .openLog(let database): !remedies.contains(.salvage(database: database))
            default: true
            }
        }
    }

    /// The steps that ``run(_:)`` would do.
    package var plan: [RepairStep] {
        remedies.map { remedy in
            switch remedy {
            case .openLog(let database):
                RepairStep(location: database, message: "open it: move its journals into it, finish interrupted steps")
            case .salvage(let database):
                RepairStep(
                    location: database,
                    message: "move the damaged files aside and build a new log from all readable events")
            case .cutTornLine(let file):
                RepairStep(location: file, message: "move its torn last line to a separate file")
            case .endLastLine(let file):
                RepairStep(location: file.path, message: "add the missing final line feed")
            case .setAside(let file):
                RepairStep(location: file, message: "rename it; the uncompressed file has all of its lines")
            }
        }
    }

    /// Makes the repairs.
    ///
    /// - Parameter report: Called with each completed step.
    /// - Throws: ``/EventLog/EventLogError``, ``LogFileError``. Completed steps are kept; run it again to continue.
    package func run(_ report: (RepairStep) -> Void) async throws {
        for remedy in remedies {
            let steps =
                switch remedy {
                case .openLog(let database): try await DatabaseRepair(database).run(checksStructure: false)
                case .salvage(let database): try await DatabaseRepair(database).run(checksStructure: true)
                case .cutTornLine(let file): try FileRepair.cutTornLine(file)
                case .endLastLine(let file): try FileRepair.endLastLine(file)
                case .setAside(let file): [try FileRepair.setAside(file)]
                }
            steps.forEach(report)
        }
    }
}

/// A step of a repair, done or planned.
package struct RepairStep: Hashable, Sendable {
    package let location: String
    /// What was done.
    package let message: String
}
