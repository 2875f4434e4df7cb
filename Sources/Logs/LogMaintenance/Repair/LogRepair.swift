internal import Foundation

/// Does what findings say can be done without losing anything. What is damaged is put aside, never removed.
package struct LogRepair {
    private let remedies: [Remedy]

    /// Plans the repair of what was found.
    package init(_ findings: [Finding]) {
        var remedies: [Remedy] = []
        for remedy in findings.compactMap(\.remedy) where !remedies.contains(remedy) { remedies.append(remedy) }
        // A salvage opens the log, too.
        self.remedies = remedies.filter { remedy in
            switch remedy {
            // A salvaged log is a new one.
            case .openLog(let database), .compact(let database):
                return !remedies.contains(.salvage(database: database))
            default: return true
            }
        }
    }

    /// What ``run()`` would do.
    package var plan: [RepairStep] {
        remedies.map { remedy in
            switch remedy {
            case .openLog(let database):
                RepairStep(location: database, message: "open it: move its journals, put in order what was cut short")
            case .salvage(let database):
                RepairStep(
                    location: database,
                    message: "put the damaged files aside and make a new log of all that can be read")
            case .cutTornLine(let file):
                RepairStep(location: file, message: "cut its torn last line off, into a file of its own")
            case .endLastLine(let file):
                RepairStep(location: file.path, message: "add the line feed that its last line lacks")
            case .compact(let database):
                RepairStep(location: database, message: "write it anew without its free pages")
            case .setAside(let file):
                RepairStep(location: file, message: "give it another name; the plain file beside it has all of it")
            }
        }
    }

    /// Does it.
    ///
    /// - Parameter tell: Gets each step when it is done.
    /// - Throws: ``/EventLog/EventLogError``, ``LogFileError``. What was done until then stays done; run again, it goes on.
    package func run(_ tell: (RepairStep) -> Void) async throws {
        for remedy in remedies {
            let steps =
                switch remedy {
                case .openLog(let database): try await DatabaseRepair(database).run(checksStructure: false)
                case .salvage(let database): try await DatabaseRepair(database).run(checksStructure: true)
                case .cutTornLine(let file): try FileRepair.cutTornLine(file)
                case .endLastLine(let file): try FileRepair.endLastLine(file)
                case .compact(let database): try await DatabaseRepair(database).compact()
                case .setAside(let file): [try FileRepair.setAside(file)]
                }
            steps.forEach(tell)
        }
    }
}

/// One thing that a repair has done, or would do.
package struct RepairStep: Hashable, Sendable {
    /// The file that it is about.
    package let location: String
    /// What was done, with its numbers.
    package let message: String
}
