internal import JSONLines
internal import JSONSchema
internal import Primitives

extension ValueMaker {
    // MARK: Numbers

    func writeNumber(_ shape: Shape, _ draw: inout Draw, _ json: inout JSONWriter) {
        let number = shape.number
        if !number.extremes.isEmpty, number.first > number.last || draw.chance.happens(20) {
            return json.value(Array((draw.chance.one(of: number.extremes + ["0"]) ?? "0").utf8))
        }
        let span = min((number.last - number.first).clampedToUInt64, UInt64(1) << 62)
        let units = (number.first + WideInteger(step(span, shape.field, &draw.chance))) * number.grid
        if units % ScaledDecimal.one == 0, let whole = (units / ScaledDecimal.one).asInt64 {
            json.integer(whole)
        } else {
            json.value(Array((ScaledDecimal(units: units)?.description ?? "0").utf8))
        }
    }

    /// How far from the first number: pages are mostly the first, counts mostly small.
    private func step(_ span: UInt64, _ field: Field, _ chance: inout SplitMix64) -> UInt64 {
        switch field {
        case .page: UInt64(chance.falling(to: Int(span), percent: 30))
        case .count: UInt64(chance.falling(to: Int(span), percent: 65))
        case .milliseconds, .size, .price: min(chance.below(span + 1), chance.below(span + 1))
        default: chance.below(span + 1)
        }
    }

    // MARK: Strings

    func writeText(_ shape: Shape, _ attempt: Int, _ draw: inout Draw, _ json: inout JSONWriter) throws(Unmade) {
        let text = shape.text
        guard text.minimum <= Self.longestText else {
            throw Unmade(place: shape.place, reason: "its texts would have more than \(Self.longestText) characters")
        }
        // What never satisfied the pattern need not be tried for ever.
        let isHopeless = text.hits == 0 && text.misses > 8
        if !text.patterns.isEmpty, isHopeless || attempt % 3 != 0 {
            let pattern = text.patterns[attempt % text.patterns.count]
            // As many as a single repetition needs, or as several share.
            let needed = min(text.minimum, Self.longestText)
            let rounds = attempt % 2 == 0 ? needed...min(text.maximum, needed + 6) : 0...max(6, needed / 2)
            if let sample = pattern.sample(rounds: rounds, choose: { draw.chance.below($0) }) {
                return json.string(fitted(String(decoding: sample, as: UTF8.self), text, isFree: false, &draw))
            }
        }
        let isFree = text.patterns.isEmpty && text.formats.isEmpty
        json.string(fitted(likely(shape, &draw), text, isFree: isFree, &draw))
    }

    private static let longestText = 1 << 20

    /// A text that looks like those of the field: like the example that is kept to, like an example, as the format or the
    /// name says.
    private func likely(_ shape: Shape, _ draw: inout Draw) -> String {
        let text = shape.text
        if let number = draw.example, number < text.inherited.count, let example = text.inherited[number] {
            return example.text(&draw.chance, now: draw.now)
        }
        if !text.own.isEmpty, draw.chance.happens(70), let example = draw.chance.one(of: text.own) {
            return example.text(&draw.chance, now: draw.now)
        }
        let field = draw.chance.one(of: text.formats) ?? shape.field
        return Words.text(for: field, &draw.chance, now: draw.now)
    }

    /// The text with as many characters as it may have, if it is free to have any.
    private func fitted(_ text: String, _ shape: TextShape, isFree: Bool, _ draw: inout Draw) -> String {
        guard isFree else { return text }
        // Every scalar takes at least one byte.
        guard shape.minimum > 1 || shape.maximum < text.utf8.count || text.isEmpty else { return text }
        var scalars = Array(text.unicodeScalars)
        while scalars.count < shape.minimum {
            if !scalars.isEmpty { scalars.append(" ") }
            scalars += Words.noun(&draw.chance).unicodeScalars
        }
        var fitted = String.UnicodeScalarView()
        fitted.append(contentsOf: scalars.prefix(shape.maximum))
        return String(fitted)
    }
}
