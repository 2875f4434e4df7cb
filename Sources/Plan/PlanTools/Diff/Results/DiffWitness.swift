/// An event that the two schemas do not judge alike; a validator was asked about both.
package struct DiffWitness: Hashable, Sendable {
    /// Which of the two takes it.
    package enum Side: String, Sendable {
        /// The old one takes it, the new one refuses it.
        case old
        /// The new one takes it, the old one refuses it.
        case new
    }

    /// Which of the two takes it.
    package let side: Side
    /// The event as JSON in one line.
    package let json: String
    /// The rules by which the other refuses it.
    let refusals: [Refusal]
    /// Where in the event the sets differ; empty if that is not known.
    let trail: [String]
}

/// A rule by which a schema refuses an event.
struct Refusal: Hashable, Sendable {
    /// The keyword that is broken.
    let keyword: String
    /// The way to it through the schema.
    let way: [String]
}
