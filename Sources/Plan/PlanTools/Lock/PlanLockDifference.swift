/// A schema that is not as it was published.
package struct PlanLockDifference: Hashable, Sendable, CustomStringConvertible {
    /// What happened to it.
    package enum Kind: String, Hashable, Sendable {
        /// It was published with other bytes.
        case changed
        /// It was published, and is gone.
        case missing
        /// It is not published yet.
        case unlocked
    }

    /// What happened to it.
    package let kind: Kind
    /// The file within the folder.
    package let path: String

    /// The path, what happened and what to do.
    package var description: String {
        switch kind {
        case .changed: "\(path): changed since it was published: take it back, and write a new version beside it"
        case .missing: "\(path): published and gone: take it back, logs still hold its events"
        case .unlocked: "\(path): not published yet: lock it with trackctl schema lock"
        }
    }
}
