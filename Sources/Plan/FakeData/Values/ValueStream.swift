package import EventModel
internal import JSONLines
package import JSONSchema
package import Primitives

/// An endless stream of values of a schema. Use it on one thread at a time.
package final class ValueStream {
    private let maker: ValueMaker
    private let now: EventTime
    private var random: SplitMix64
    private var json = JSONWriter(capacity: 1024)

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - uri: The URI of the schema in the set.
    ///   - name: The name in errors.
    ///   - seed: The random seed.
    ///   - now: The time shortly after the generated dates and times.
    /// - Throws: ``FakeDataError`` for a schema that does not compile.
    package init(
        _ set: SchemaSet, at uri: String, named name: String, seed: UInt64, now: EventTime = FakeLog.Options().start
    ) throws(FakeDataError) {
        maker = try ValueMaker(set, at: uri, named: name)
        self.now = now
        random = SplitMix64(seed: SplitMix64.mixed(seed &+ 1))
    }

    /// Checks that a value can be generated, without advancing the stream.
    ///
    /// - Throws: ``FakeDataError`` if no value was found, with the location in the schema.
    package func prove() throws(FakeDataError) {
        var random = random
        json.removeAll()
        try maker.write(&random, now: now, to: &json)
    }

    /// Calls `body` with the next value as JSON, without a line feed.
    ///
    /// - Throws: ``FakeDataError`` if no value was found, with the location in the schema.
    package func withNext<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        json.removeAll()
        try maker.write(&random, now: now, to: &json)
        return try json.withUnsafeBytes(body)
    }
}

/// The state of generating one value.
struct Draw {
    /// The random number generator.
    var random: SplitMix64
    /// The time shortly after the generated dates and times.
    let now: EventTime
    /// The nesting depth of the current value.
    var depth = 0
    /// The number of failed attempts.
    var failures = 0
    /// The selected example of the enclosing object; nil for none.
    var example: Int?

    /// The depth from which optional members are omitted.
    private static let plainDepth = 5
    static let maximumDepth = 60
    /// The maximum number of failed attempts for a complete value.
    static let maximumFailures = 4000

    var isDeep: Bool { depth > Self.plainDepth }
}

/// The location and reason of a value that could not be generated.
struct GenerationFailure: Error {
    let location: SchemaSet.Location
    let reason: String
}

package struct FakeDataError: LayerError {
    /// The kinds of error.
    package enum Code: Sendable {
        /// No value of a schema was found.
        case noValue
    }

    /// The kind of error.
    package let code = Code.noValue
    /// The schema, with the JSON pointer of the failing part: `events/search/1-0-0.json#/properties/page`.
    package let location: String
    /// The problem and what to do.
    package let reason: String

    package init(location: String, reason: String) {
        self.location = location
        self.reason = reason
    }

    package var message: String { "\(location): \(reason)" }

    package var category: ErrorCategory { .invalidInput }
}
