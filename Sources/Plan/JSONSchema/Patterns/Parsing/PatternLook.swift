/// A look at what follows or precedes a place.
enum PatternLook {
    case ahead
    case notAhead
    case behind
    case notBehind

    var isNegative: Bool { self == .notAhead || self == .notBehind }
    var isBehind: Bool { self == .behind || self == .notBehind }
}
