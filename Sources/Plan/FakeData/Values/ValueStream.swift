package import EventModel
internal import JSONLines
package import JSONSchema
package import Primitives

/// Values of a schema, one after the other, without an end. One thread at a time uses it.
package final class ValueStream {
    private let maker: ValueMaker
    private let now: EventTime
    private var random: SplitMix64
    private var json = JSONWriter(capacity: 1024)

    /// Reads a schema.
    ///
    /// - Parameters:
    ///   - uri: Where it is found in the set.
    ///   - name: What errors call it.
    ///   - seed: Another one, other values.
    ///   - now: What dates and times lie shortly before.
    /// - Throws: ``FakeDataError`` for a schema that does not compile.
    package init(
        _ set: SchemaSet, at uri: String, named name: String, seed: UInt64, now: EventTime = FakeLog.Options().start
    ) throws(FakeDataError) {
        maker = try ValueMaker(set, at: uri, named: name)
        self.now = now
        random = SplitMix64(seed: SplitMix64.mixed(seed &+ 1))
    }

    /// Makes a value and forgets it; the next one is the first all the same.
    ///
    /// - Throws: ``FakeDataError`` if none was found, with the place in the schema.
    package func prove() throws(FakeDataError) {
        var random = random
        json.removeAll()
        try maker.write(&random, now: now, to: &json)
    }

    /// Calls `body` with the next value, JSON without a line feed.
    ///
    /// - Throws: ``FakeDataError`` if none was found, with the place in the schema.
    package func withNext<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        json.removeAll()
        try maker.write(&random, now: now, to: &json)
        return try json.withUnsafeBytes(body)
    }
}

/// The making of one value.
struct Draw {
    /// What the chance is.
    var random: SplitMix64
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
    let location: SchemaSet.Location
    let reason: String
}

/// No fake data can be made.
package struct FakeDataError: LayerError {
    /// The kinds of error.
    package enum Code: Sendable {
        /// A schema has no value that can be found.
        case noValue
    }

    /// The kind of error.
    package let code = Code.noValue
    /// The schema, and the JSON pointer of the part of it that is at fault: `events/search/1-0-0.json#/properties/page`.
    package let location: String
    /// What is wrong and what to do.
    package let reason: String

    package init(location: String, reason: String) {
        self.location = location
        self.reason = reason
    }

    /// Place and reason.
    package var message: String { "\(location): \(reason)" }

    /// The message.
    package var description: String { message }

    package var category: ErrorCategory { .invalidInput }
}
