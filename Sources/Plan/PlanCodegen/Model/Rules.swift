/// A text and its limits.
struct StringRule {
    /// What is written in place of the text.
    enum Redaction: Equatable {
        case none
        /// 64 hex digits.
        case hash
        /// The first Unicode scalars.
        case truncate(Int)
    }

    /// A form that is checked.
    enum Format: String, CaseIterable {
        case uuid
        case date
        case dateTime = "date-time"
    }

    /// In Unicode scalars, of what is written.
    var length: ClosedRange<Int> = 0...Int.max
    var format: Format?
    /// As the schema writes it, and as a table.
    var pattern: (source: String, table: StateTable)?
    var redaction = Redaction.none

    /// Whether there is something to check once it is redacted.
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
    /// What every reader of JSON keeps: ±(2^53 − 1).
    static let interoperable = -9_007_199_254_740_991...9_007_199_254_740_991

    var range = interoperable
    var divisor = 1
}

/// A number and its limits, as the schema writes them.
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
