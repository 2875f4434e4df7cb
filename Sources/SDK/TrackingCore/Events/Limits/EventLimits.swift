/// Checks the schema limits that Swift types can't express. Generated events call these functions. Nothing is allocated
/// unless a check fails.
///
/// Each function throws ``TrackingEventError`` with the name of the property that you pass. Call them on any thread.
public enum EventLimits {
    /// `minLength` and `maxLength`, in Unicode scalars. Complexity: O(1) if the text has at most as many bytes as the
    /// limit has scalars, otherwise O(bytes).
    @inlinable @inline(__always)
    public static func length(
        _ text: String, _ allowed: ClosedRange<Int>, _ property: StaticString
    ) throws(TrackingEventError) {
        // A scalar has one to four bytes: count scalars only if the byte count leaves the result open.
        let bytes = text.utf8.count
        if bytes <= allowed.upperBound, bytes >= 4 * allowed.lowerBound || bytes > 0 && allowed.lowerBound <= 1 {
            return
        }
        try counted(text, allowed, property)
    }

    @usableFromInline @inline(never)
    static func counted(
        _ text: String, _ allowed: ClosedRange<Int>, _ property: StaticString
    ) throws(TrackingEventError) {
        try count(scalars(text), allowed: allowed, property: property, lower: "minLength", upper: "maxLength")
    }

    private static func scalars(_ text: String) -> Int {
        text.utf8.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    /// `minLength` and `maxLength` of a text of which only the first `count` Unicode scalars are written. Complexity:
    /// O(bytes).
    public static func length(
        _ text: String, truncatedTo count: Int, _ allowed: ClosedRange<Int>, _ property: StaticString
    ) throws(TrackingEventError) {
        try Self.count(
            min(scalars(text), count), allowed: allowed, property: property, lower: "minLength", upper: "maxLength")
    }

    /// `minimum`, `maximum` and `multipleOf` of an integer. The limits have 64 bits even if `Int` has 32.
    @inlinable
    public static func integer(
        _ value: Int, _ allowed: ClosedRange<Int64>, multipleOf divisor: Int64 = 1, _ property: StaticString
    ) throws(TrackingEventError) {
        let value = Int64(value)
        guard value >= allowed.lowerBound else { throw error(property, keyword: "minimum", limit: allowed.lowerBound) }
        guard value <= allowed.upperBound else { throw error(property, keyword: "maximum", limit: allowed.upperBound) }
        guard divisor == 1 || value % divisor == 0 else { throw error(property, keyword: "multipleOf", limit: divisor) }
    }

    /// Checks that JSON and all readers can represent a number, and checks its limits. Rejects NaN, infinity, and the
    /// whole numbers from 2^53 to 10^16, which are written as integers that many readers round.
    ///
    /// With `multipleOf`, rejects every number from 2^53 on: there, the shortest decimal that is written can be a
    /// multiple when the binary value is not, and vice versa.
    public static func number(
        _ value: Double, minimum: Double? = nil, exclusiveMinimum: Double? = nil, maximum: Double? = nil,
        exclusiveMaximum: Double? = nil, multipleOf divisor: Double? = nil, _ property: StaticString
    ) throws(TrackingEventError) {
        guard value.isFinite, value.magnitude < 0x1p53 || value.magnitude >= 1e16 else {
            throw TrackingEventError(property: "\(property)", keyword: "type", limit: "number")
        }
        if let minimum, value < minimum { throw error(property, keyword: "minimum", limit: minimum) }
        if let exclusiveMinimum, value <= exclusiveMinimum {
            throw error(property, keyword: "exclusiveMinimum", limit: exclusiveMinimum)
        }
        if let maximum, value > maximum { throw error(property, keyword: "maximum", limit: maximum) }
        if let exclusiveMaximum, value >= exclusiveMaximum {
            throw error(property, keyword: "exclusiveMaximum", limit: exclusiveMaximum)
        }
        if let divisor, value.magnitude >= 0x1p53 || value.truncatingRemainder(dividingBy: divisor) != 0 {
            throw error(property, keyword: "multipleOf", limit: divisor)
        }
    }

    /// `minItems` and `maxItems`.
    public static func items(
        _ count: Int, _ allowed: ClosedRange<Int>, _ property: StaticString
    ) throws(TrackingEventError) {
        try Self.count(count, allowed: allowed, property: property, lower: "minItems", upper: "maxItems")
    }

    /// `minProperties` and `maxProperties`.
    public static func properties(
        _ count: Int, _ allowed: ClosedRange<Int>, _ property: StaticString
    ) throws(TrackingEventError) {
        try Self.count(count, allowed: allowed, property: property, lower: "minProperties", upper: "maxProperties")
    }

    /// `uniqueItems`. Canonically equivalent strings count as equal.
    ///
    /// - Complexity: O(n); allocates beyond 16 elements.
    public static func unique<Element: Hashable>(
        _ elements: [Element], _ property: StaticString
    ) throws(TrackingEventError) {
        var isUnique = true
        if elements.count <= 16 {
            for index in elements.indices.dropFirst() where elements[..<index].contains(elements[index]) {
                isUnique = false
            }
        } else {
            isUnique = Set(elements).count == elements.count
        }
        guard isUnique else {
            throw TrackingEventError(property: "\(property)", keyword: "uniqueItems", limit: "true")
        }
    }

    private static func count(
        _ count: Int, allowed: ClosedRange<Int>, property: StaticString, lower: StaticString,
        upper: StaticString
    ) throws(TrackingEventError) {
        guard count >= allowed.lowerBound else { throw error(property, keyword: lower, limit: allowed.lowerBound) }
        guard count <= allowed.upperBound else { throw error(property, keyword: upper, limit: allowed.upperBound) }
    }

    @usableFromInline @inline(never)
    static func error(
        _ property: StaticString, keyword: StaticString, limit: some CustomStringConvertible & Sendable
    ) -> TrackingEventError {
        TrackingEventError(property: "\(property)", keyword: "\(keyword)", limit: "\(limit)")
    }
}

/// A property of an event that violates a limit of the event's schema. Contains the names of the property and the
/// limit, never the value.
public struct TrackingEventError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property as named in the schema, with the path to it if it is nested: `basket.items[2].count`.
    public let property: String
    /// The schema's keyword: `maxLength`.
    public let keyword: String
    /// The keyword's value in the schema: `64`.
    public let limit: String

    /// Makes an error.
    public init(property: String, keyword: String, limit: String) {
        self.property = property
        self.keyword = keyword
        self.limit = limit
    }

    /// Returns the error as seen from the object that contains `property`.
    public func within(_ property: StaticString) -> TrackingEventError {
        TrackingEventError(property: "\(property).\(self.property)", keyword: keyword, limit: limit)
    }

    /// Returns the same error for an element of an array: `items[2].count` for `items.count`.
    ///
    /// - Parameters:
    ///   - index: The element's index, from 0.
    ///   - array: The array's name, with which ``property`` begins.
    public func inElement(_ index: Int, of array: StaticString) -> TrackingEventError {
        let rest = property.dropFirst("\(array)".count)
        return TrackingEventError(property: "\(array)[\(index)]\(rest)", keyword: keyword, limit: limit)
    }

    /// The property and the limit in one sentence.
    public var description: String { "\(property) violates the schema's \(keyword): \(limit)" }
}
