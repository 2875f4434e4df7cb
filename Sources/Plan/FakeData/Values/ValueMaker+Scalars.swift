internal import JSONLines
internal import JSONSchema
internal import Primitives

extension ValueMaker {
    func writeNumber(_ shape: Shape, draw: inout Draw, to json: inout JSONWriter) {
        let number = shape.number
        if !number.extremes.isEmpty, number.first > number.last || draw.random.happens(20) {
            return json.value(Array((draw.random.one(of: number.extremes + ["0"]) ?? "0").utf8))
        }
        let span = min((number.last - number.first).clampedToUInt64, UInt64(1) << 62)
        let units = (number.first + WideInteger(step(span, field: shape.field, random: &draw.random))) * number.grid
        if units % ScaledDecimal.one == 0, let whole = (units / ScaledDecimal.one).asInt64 {
            json.integer(whole)
        } else {
            json.value(Array((ScaledDecimal(units: units)?.description ?? "0").utf8))
        }
    }

    /// Returns the distance from the first number: page numbers are usually the first, counts usually small.
    private func step(_ span: UInt64, field: Field, random: inout SplitMix64) -> UInt64 {
        switch field {
        case .page: UInt64(random.falling(to: Int(span), percent: 30))
        case .count: UInt64(random.falling(to: Int(span), percent: 65))
        case .milliseconds, .size, .price: min(random.below(span + 1), random.below(span + 1))
        default: random.below(span + 1)
        }
    }

    func writeText(_ shape: Shape, attempt: Int, draw: inout Draw, to json: inout JSONWriter)
        throws(GenerationFailure)
    {
        let text = shape.text
        guard text.minimum <= Self.longestText else {
            throw GenerationFailure(
                location: shape.location, reason: "its strings need more than \(Self.longestText) characters")
        }
        // Stop trying texts of the field that never match the pattern.
        let isHopeless = text.hits == 0 && text.misses > 8
        if !text.patterns.isEmpty, isHopeless || attempt % 3 != 0 {
            let pattern = text.patterns[attempt % text.patterns.count]
            // Alternate between enough rounds for a pattern with one repetition, and fewer rounds for a pattern with
            // several.
            let needed = min(text.minimum, Self.longestText)
            let rounds = attempt % 2 == 0 ? needed...min(text.maximum, needed + 6) : 0...max(6, needed / 2)
            if let sample = pattern.sample(rounds: rounds, choose: { draw.random.below($0) }) {
                return json.string(
                    fitted(String(decoding: sample, as: UTF8.self), to: text, isFree: false, draw: &draw))
            }
        }
        let isFree = text.patterns.isEmpty && text.formats.isEmpty
        json.string(fitted(likely(shape, &draw), to: text, isFree: isFree, draw: &draw))
    }

    private static let longestText = 1 << 20

    /// Returns a text that resembles the field: like the selected example, like any example, or as the format or the
    /// name suggests.
    private func likely(_ shape: Shape, _ draw: inout Draw) -> String {
        let text = shape.text
        if let number = draw.example, number < text.inherited.count, let example = text.inherited[number] {
            return example.text(&draw.random, now: draw.now)
        }
        if !text.own.isEmpty, draw.random.happens(70), let example = draw.random.one(of: text.own) {
            return example.text(&draw.random, now: draw.now)
        }
        let field = draw.random.one(of: text.formats) ?? shape.field
        return Words.text(for: field, &draw.random, now: draw.now)
    }

    /// Returns the text shortened or extended to an allowed length, if its content is free.
    private func fitted(_ text: String, to shape: TextShape, isFree: Bool, draw: inout Draw) -> String {
        guard isFree else { return text }
        // Every scalar takes at least one byte.
        guard shape.minimum > 1 || shape.maximum < text.utf8.count || text.isEmpty else { return text }
        var scalars = Array(text.unicodeScalars)
        while scalars.count < shape.minimum {
            if !scalars.isEmpty { scalars.append(" ") }
            scalars += Words.noun(&draw.random).unicodeScalars
        }
        var fitted = String.UnicodeScalarView()
        fitted.append(contentsOf: scalars.prefix(shape.maximum))
        return String(fitted)
    }
}
