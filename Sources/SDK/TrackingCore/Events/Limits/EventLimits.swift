/// The limits of a schema that a type cannot hold, as generated events check them. Nothing is allocated while they hold.
///
/// Each throws ``TrackingEventError`` with the property it was told, and does nothing else. Any thread.
public enum EventLimits {
    /// `minLength` and `maxLength`, in Unicode scalars. Complexity: O(1) for a text with no more bytes than allowed
    /// scalars, O(bytes) for any other.
    @inlinable @inline(__always)
    public static func length(
        _ text: String, _ allowed: ClosedRange<Int>, _ property: StaticString
    ) throws(TrackingEventError) {
        // A scalar takes one to four bytes: only what lies between has to be counted.
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
        try count(scalars(text), allowed, property, "minLength", "maxLength")
    }

    private static func scalars(_ text: String) -> Int {
        text.utf8.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    /// `minLength` and `maxLength` of a text of which the first `count` Unicode scalars are written. Complexity: O(bytes).
    public static func length(
        _ text: String, truncatedTo count: Int, _ allowed: ClosedRange<Int>, _ property: StaticString
    ) throws(TrackingEventError) {
        try Self.count(min(scalars(text), count), allowed, property, "minLength", "maxLength")
    }

    /// `minimum`, `maximum` and `multipleOf` of an integer. The limits have 64 bits where `Int` has 32 as well.
    @inlinable
    public static func integer(
        _ value: Int, _ allowed: ClosedRange<Int64>, multipleOf divisor: Int64 = 1, _ property: StaticString
    ) throws(TrackingEventError) {
        let value = Int64(value)
        guard value >= allowed.lowerBound else { throw error(property, "minimum", allowed.lowerBound) }
        guard value <= allowed.upperBound else { throw error(property, "maximum", allowed.upperBound) }
        guard divisor == 1 || value % divisor == 0 else { throw error(property, "multipleOf", divisor) }
    }

    /// That a number is one that JSON has and every reader keeps, and its limits: neither NaN nor infinite, and none of the
    /// whole numbers from 2^53 to 10^16, which are written as integers beyond those that readers keep.
    ///
    /// With `multipleOf` none from 2^53 on is taken: what is written there, the shortest decimal, may be a multiple where
    /// the binary value is none, or the other way round.
    public static func number(
        _ value: Double, minimum: Double? = nil, exclusiveMinimum: Double? = nil, maximum: Double? = nil,
        exclusiveMaximum: Double? = nil, multipleOf divisor: Double? = nil, _ property: StaticString
    ) throws(TrackingEventError) {
        guard value.isFinite, value.magnitude < 0x1p53 || value.magnitude >= 1e16 else {
            throw TrackingEventError(property: "\(property)", keyword: "type", limit: "number")
        }
        if let minimum, value < minimum { throw error(property, "minimum", minimum) }
        if let exclusiveMinimum, value <= exclusiveMinimum {
            throw error(property, "exclusiveMinimum", exclusiveMinimum)
        }
        if let maximum, value > maximum { throw error(property, "maximum", maximum) }
        if let exclusiveMaximum, value >= exclusiveMaximum {
            throw error(property, "exclusiveMaximum", exclusiveMaximum)
        }
        if let divisor, value.magnitude >= 0x1p53 || value.truncatingRemainder(dividingBy: divisor) != 0 {
            throw error(property, "multipleOf", divisor)
        }
    }

    /// `minItems` and `maxItems`.
    public static func items(
        _ count: Int, _ allowed: ClosedRange<Int>, _ property: StaticString
    ) throws(TrackingEventError) {
        try Self.count(count, allowed, property, "minItems", "maxItems")
    }

    /// `minProperties` and `maxProperties`.
    public static func properties(
        _ count: Int, _ allowed: ClosedRange<Int>, _ property: StaticString
    ) throws(TrackingEventError) {
        try Self.count(count, allowed, property, "minProperties", "maxProperties")
    }

    /// `uniqueItems`. Texts that look alike count as equal, however they are composed.
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
        _ count: Int, _ allowed: ClosedRange<Int>, _ property: StaticString, _ lower: StaticString,
        _ upper: StaticString
    ) throws(TrackingEventError) {
        guard count >= allowed.lowerBound else { throw error(property, lower, allowed.lowerBound) }
        guard count <= allowed.upperBound else { throw error(property, upper, allowed.upperBound) }
    }

    @usableFromInline @inline(never)
    static func error(
        _ property: StaticString, _ keyword: StaticString, _ limit: some CustomStringConvertible & Sendable
    ) -> TrackingEventError {
        TrackingEventError(property: "\(property)", keyword: "\(keyword)", limit: "\(limit)")
    }
}

/// A property of an event that is past a limit of the event's schema. Names the property and the limit, never the value.
public struct TrackingEventError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property as the schema names it; within others, with the path to it: `basket.items[2].count`.
    public let property: String
    /// The keyword of the schema: `maxLength`.
    public let keyword: String
    /// What the schema says there: `64`.
    public let limit: String

    /// Makes an error.
    public init(property: String, keyword: String, limit: String) {
        self.property = property
        self.keyword = keyword
        self.limit = limit
    }

    /// The same error as seen from the object that holds `property`.
    public func within(_ property: StaticString) -> TrackingEventError {
        TrackingEventError(property: "\(property).\(self.property)", keyword: keyword, limit: limit)
    }

    /// The same error of an element of an array: `items[2].count` for `items.count`.
    ///
    /// - Parameters:
    ///   - index: The element's, from 0.
    ///   - array: The array, with which ``property`` begins.
    public func inElement(_ index: Int, of array: StaticString) -> TrackingEventError {
        let rest = property.dropFirst("\(array)".count)
        return TrackingEventError(property: "\(array)[\(index)]\(rest)", keyword: keyword, limit: limit)
    }

    /// Property and limit, in a sentence.
    public var description: String { "\(property) breaks its schema's limit \(keyword): \(limit)" }
}
