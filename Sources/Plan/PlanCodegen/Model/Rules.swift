/// A string and its limits.
struct StringRule {
    /// The replacement that is written for the string.
    enum Redaction: Equatable {
        case none
        /// The SHA-256 as 64 hexadecimal digits.
        case hash
        /// The first Unicode scalars.
        case truncate(Int)
    }

    enum Format: String, CaseIterable {
        case uuid
        case date
        case dateTime = "date-time"
    }

    /// The length in Unicode scalars, after redaction.
    var length: ClosedRange<Int> = 0...Int.max
    var format: Format?
    var pattern: (source: String, table: StateTable)?
    var redaction = Redaction.none

    /// Whether there is anything to check after redaction.
    var isLimited: Bool {
        switch redaction {
        case .none: length != 0...Int.max || format != nil || pattern != nil
        case .hash: false
        case .truncate: length.lowerBound > 0
        }
    }
}

/// An integer and its limits.
struct IntegerRule {
    /// The range that every JSON reader keeps exactly: ±(2^53 − 1).
    static let interoperable = -9_007_199_254_740_991...9_007_199_254_740_991

    var range = interoperable
    var divisor = 1
}

/// A number and its limits, as written in the schema.
struct NumberRule {
    var minimum: String?
    var exclusiveMinimum: String?
    var maximum: String?
    var exclusiveMaximum: String?
    var divisor: String?
}

/// An array and its limits.
struct ArrayRule {
    var count: ClosedRange<Int>
    var isUnique: Bool
    var element: ValueType
}
