package import EventModel
package import JSONLines
package import JSONSchema
package import Primitives
internal import TrackingPlan

/// Generates values that satisfy a schema.
///
/// Members, elements, strings and numbers are built from the schema, with references and `allOf` combined and one
/// alternative selected. Constraints that construction cannot guarantee (`not`, `oneOf`, `contains` …) are checked
/// afterwards; a value that violates one is regenerated, a limited number of times. Every result is validated against
/// the complete schema, so an invalid value is never returned.
///
/// Use it on one thread at a time. The same schema, seed and calls give the same bytes on every machine.
package final class ValueMaker {
    let table: ShapeTable
    private let root: Int
    private let name: String
    private let uri: String
    private let validator: ReusedValidator
    /// The maximum number of attempts for a complete value.
    private static let tries = 200
    /// The maximum number of attempts for a part, unless it has more alternatives.
    private static let partTries = 24

    /// Makes a generator for a schema.
    ///
    /// - Parameters:
    ///   - set: The schema, and those that it references.
    ///   - uri: The URI of the schema in the set.
    ///   - name: The name in errors.
    ///   - assertsFormats: Whether `format` is validated.
    /// - Throws: ``FakeDataError`` for a schema that does not compile.
    package init(
        _ set: SchemaSet, at uri: String, named name: String, assertsFormats: Bool = true
    ) throws(FakeDataError) {
        self.name = name
        do {
            let options = SchemaOptions(assertsFormats: assertsFormats)
            validator = ReusedValidator(try set.compile(uri, options: options))
            guard let table = try ShapeTable(set, at: uri, assertsFormats: assertsFormats) else {
                throw FakeDataError(location: name, reason: "the schema does not exist")
            }
            self.table = table
            self.uri = table.set.location(of: table.root)
            root = table.number(of: Demand(schemas: [table.root]))
        } catch let error as SchemaError {
            throw FakeDataError(location: name, reason: error.message)
        } catch {
            throw error as? FakeDataError ?? FakeDataError(location: name, reason: "\(error)")
        }
    }

    /// Writes a value.
    ///
    /// - Parameter now: The time shortly after the generated dates and times.
    /// - Throws: ``FakeDataError`` if no value was found, with the location in the schema. Nothing is written then.
    package func write(
        _ random: inout SplitMix64, now: EventTime, to json: inout JSONWriter
    ) throws(FakeDataError) {
        var draw = Draw(random: random, now: now)
        defer { random = draw.random }
        let mark = json.mark
        let start = json.count
        var failure: GenerationFailure?
        for _ in 0..<Self.tries where draw.failures <= Draw.maximumFailures {
            do throws(GenerationFailure) {
                try make(root, draw: &draw, to: &json)
                let isValid = json.withUnsafeBytes { text in
                    validator.validator.verdict(on: Self.value(text, from: start)) == .valid
                }
                if isValid { return }
            } catch {
                failure = failure ?? error
            }
            json.rewind(to: mark)
            draw.failures += 1
        }
        throw FakeDataError(
            location: failure.map { location($0.location) } ?? name,
            reason: "no value was found that satisfies the schema: "
                + (failure?.reason ?? "the generated parts do not satisfy the complete schema"))
    }

    private func location(_ location: SchemaSet.Location) -> String {
        let location = table.set.location(of: location)
        let own = uri.prefix { $0 != "#" } + "#"
        return location.hasPrefix(own) ? "\(name)#\(location.dropFirst(own.count))" : location
    }

    /// Returns the text from an offset on, without the comma before the value.
    private static func value(_ text: UnsafeRawBufferPointer, from start: Int) -> UnsafeRawBufferPointer {
        let hasComma = start < text.count && text[start] == UInt8(ascii: ",")
        return UnsafeRawBufferPointer(rebasing: text[(start + (hasComma ? 1 : 0))...])
    }

    /// Writes a value of a shape, and regenerates it until it passes the check, if it needs one.
    func make(_ number: Int, draw: inout Draw, to json: inout JSONWriter) throws(GenerationFailure) {
        let shape = table.shape(number)
        guard draw.depth < Draw.maximumDepth else {
            throw GenerationFailure(location: shape.location, reason: "it references itself without end")
        }
        draw.depth += 1
        defer { draw.depth -= 1 }
        guard shape.isChecked else { return try build(shape, attempt: 0, draw: &draw, to: &json) }
        let mark = json.mark
        let start = json.count
        var tries = Self.partTries
        if case .alternatives(let alternatives) = shape.content { tries = max(tries, 4 * alternatives.count) }
        let first = draw.random.below(1 << 20)
        var failure: GenerationFailure?
        for attempt in 0..<tries {
            do throws(GenerationFailure) {
                try build(shape, attempt: first + attempt, draw: &draw, to: &json)
                let isAccepted = json.withUnsafeBytes { table.accepts(Self.value($0, from: start), shape.schemas) }
                if isAccepted {
                    if attempt == 0 { shape.text.hits += 1 }
                    return
                }
            } catch {
                failure = failure ?? error
            }
            if attempt == 0 { shape.text.misses += 1 }
            json.rewind(to: mark)
            draw.failures += 1
            guard draw.failures <= Draw.maximumFailures else { break }
        }
        throw failure
            ?? GenerationFailure(
                location: shape.location, reason: "\(tries) attempts violated rules other than types and sizes")
    }

    /// Writes a value of a shape without a check.
    ///
    /// - Parameter attempt: The number of the attempt, which iterates over the alternatives of a choice from a random
    ///   start.
    private func build(
        _ shape: Shape, attempt: Int, draw: inout Draw, to json: inout JSONWriter
    ) throws(GenerationFailure) {
        switch shape.content {
        case .nothing(let reason): throw GenerationFailure(location: shape.location, reason: reason)
        case .constants(let texts): json.value(texts[draw.random.below(texts.count)])
        case .alternatives(let alternatives):
            let way = draw.isDeep ? smallest(alternatives, attempt) : alternatives[attempt % alternatives.count]
            try build(table.shape(way), attempt: draw.random.below(1 << 20), draw: &draw, to: &json)
        case .value:
            switch kind(of: shape, &draw) {
            case .null: json.null()
            case .boolean: json.bool(draw.random.happens(50))
            case .number: writeNumber(shape, draw: &draw, to: &json)
            case .string: try writeText(shape, attempt: attempt, draw: &draw, to: &json)
            case .array: try writeArray(shape, draw: &draw, to: &json)
            default: try writeObject(shape, draw: &draw, to: &json)
            }
        }
    }

    /// Returns one of the alternatives with the smallest values.
    private func smallest(_ alternatives: [Int], _ attempt: Int) -> Int {
        let least = alternatives.map { table.shape($0).weight }.min() ?? 0
        let small = alternatives.filter { table.shape($0).weight == least }
        return small[attempt % small.count]
    }

    private func kind(of shape: Shape, _ draw: inout Draw) -> JSONKind {
        guard shape.kinds.count > 1 else { return shape.kinds[0].kind }
        var kinds = shape.kinds
        let scalars = kinds.filter { $0.kind != .array && $0.kind != .object }
        if draw.isDeep, !scalars.isEmpty { kinds = scalars }
        var location = draw.random.below(kinds.reduce(0) { $0 + $1.weight })
        for (kind, weight) in kinds {
            if location < weight { return kind }
            location -= weight
        }
        return kinds[0].kind
    }
}
