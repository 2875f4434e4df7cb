/// When events are due.
package enum ReplayPace: Sendable, Equatable {
    /// As soon as the one before is on its way.
    case unpaced
    /// As far from each other as in the log, divided by `speed`; no pause is longer than `longestPause`.
    case log(speed: Double, longestPause: Duration?)
    /// So many a second, at equal distances.
    case rate(Double)
}
