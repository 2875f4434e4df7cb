internal import EventModel
internal import JSONSchema
internal import Primitives

/// The making of one value.
struct Draw {
    /// What the chance is.
    var chance: SplitMix64
    /// What dates and times in the value lie shortly before.
    let now: EventTime
    /// How many values the one being made is within.
    var depth = 0
    /// How many tries have failed.
    var failures = 0
    /// The example of the outer object that is kept to; nil for none.
    var example: Int?

    /// From this depth on what need not be there is left out.
    private static let plainDepth = 5
    /// No value is nested deeper.
    static let maximumDepth = 60
    /// After so many failed tries the whole is given up.
    static let maximumFailures = 4000

    var isDeep: Bool { depth > Self.plainDepth }
}

/// A value could not be made: where, and why.
struct Unmade: Error {
    let place: SchemaSet.Place
    let reason: String
}
