package import EventModel

/// The distance between two versions, actual or required.
package enum SchemaBump: Int, Comparable, Sendable, CustomStringConvertible {
    /// No change.
    case none
    /// Every old event is still valid, and readers of old events can read new events.
    case addition
    /// Every old event is still valid, but readers of old events may fail on new events.
    case revision
    /// Some old events are no longer valid, or no longer mean the same.
    case model

    /// The bump that two version numbers declare.
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

    /// The part of the version number that is incremented: `ADDITION`.
    package var description: String {
        switch self {
        case .none: "nothing"
        case .addition: "ADDITION"
        case .revision: "REVISION"
        case .model: "MODEL"
        }
    }

    /// Returns the next version. A part that would overflow increments the part before it. Returns the same version if
    /// there is no next one.
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
