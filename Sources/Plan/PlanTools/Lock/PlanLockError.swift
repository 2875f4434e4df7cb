/// A lock file that cannot be read.
package struct PlanLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with a line.
    package enum Reason: Hashable, Sendable {
        /// It is no digest, two spaces and a path.
        case notALock
        /// Its path is not after the one before it.
        case notInOrder
    }

    /// From 1.
    package let line: Int
    /// What is wrong.
    package let reason: Reason

    init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }

    /// The line, what is wrong and what to do.
    package var description: String {
        switch reason {
        case .notALock: "line \(line) is not a digest, two spaces and a path: take the file back from version control"
        case .notInOrder: "line \(line) is not after the one before it: sort the lines by path"
        }
    }
}
