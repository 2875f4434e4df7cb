/// What becomes of events that the sink never takes.
package enum RefusalRule: Sendable {
    /// The replay stops.
    case stop
    /// They are left out and counted.
    case skip
    /// They are put aside and counted.
    case putAside(DeadLetterFile)
}
