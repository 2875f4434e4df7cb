/// A distance in coarse bands: within a band, stars count more than meters.
enum DistanceBand: Int, Comparable {
    /// Less than 1 km.
    case around
    /// Less than 5 km.
    case near
    /// Less than 25 km.
    case inTown
    /// 25 km or more.
    case far

    /// The band of a distance in meters.
    init(metres: Double) {
        switch metres {
        case ..<1_000: self = .around
        case ..<5_000: self = .near
        case ..<25_000: self = .inTown
        default: self = .far
        }
    }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
