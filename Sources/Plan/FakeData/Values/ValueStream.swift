package import EventModel
internal import JSONLines
package import JSONSchema
internal import Primitives

/// Values of a schema, one after the other, without an end. One thread at a time uses it.
package final class ValueStream {
    private let maker: ValueMaker
    private let now: EventTime
    private var chance: SplitMix64
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
        chance = SplitMix64(seed: SplitMix64.mixed(seed &+ 1))
    }

    /// Makes a value and forgets it; the next one is the first all the same.
    ///
    /// - Throws: ``FakeDataError`` if none was found, with the place in the schema.
    package func prove() throws(FakeDataError) {
        var chance = chance
        json.removeAll()
        try maker.write(&chance, now: now, to: &json)
    }

    /// Calls `body` with the next value, JSON without a line feed.
    ///
    /// - Throws: ``FakeDataError`` if none was found, with the place in the schema.
    package func withNext<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        json.removeAll()
        try maker.write(&chance, now: now, to: &json)
        return try json.withUnsafeBytes(body)
    }
}
