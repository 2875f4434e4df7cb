package import EventModel

/// How far a version is from the one before it, or how far it must be.
package enum SchemaBump: Int, Comparable, Sendable, CustomStringConvertible {
    /// Nothing changed.
    case none
    /// Every old event is still valid, and who reads new events as old ones gets along.
    case addition
    /// Every old event is still valid; who reads new events as old ones may fail.
    case revision
    /// Some old event is no longer valid, or no longer means the same.
    case model

    /// What a step from one version to a later one declares.
    package init(from old: SchemaVersion, to new: SchemaVersion) {
        if old.model != new.model {
            self = .model
        } else if old.revision != new.revision {
            self = .revision
        } else {
            self = old.addition == new.addition ? .none : .addition
        }
    }

    package static func < (left: SchemaBump, right: SchemaBump) -> Bool { left.rawValue < right.rawValue }

    /// The part of a version's number that it counts: `ADDITION`.
    package var description: String {
        switch self {
        case .none: "nothing"
        case .addition: "ADDITION"
        case .revision: "REVISION"
        case .model: "MODEL"
        }
    }

    /// The next version after one; a number that has come to its end hands over to the one before it. The same version
    /// if there is none.
    package func next(after version: SchemaVersion) -> SchemaVersion {
        let last = SchemaVersion.largestNumber
        if self == .none { return version }
        if self == .addition, version.addition < last {
            return SchemaVersion(version.model, version.revision, version.addition + 1)
        }
        if self < .model, version.revision < last { return SchemaVersion(version.model, version.revision + 1, 0) }
        return version.model < last ? SchemaVersion(version.model + 1, 0, 0) : version
    }
}
