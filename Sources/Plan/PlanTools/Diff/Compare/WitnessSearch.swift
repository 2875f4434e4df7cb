internal import JSONSchema

/// Tries documents near the schemas' examples, in a fixed order and no more than a number of them, until the validators
/// disagree: for schemas that sets cannot express.
struct WitnessSearch {
    /// How many documents are tried.
    private static let mostTries = 4000
    /// How many witnesses are enough, for each side.
    private static let enough = 5
    /// Starting points where nothing else is known.
    private static let plain: [ExactJSON] = [.object([:]), .array([]), .string("a"), .number(ScaledDecimal(1)), .null]

    let words: SchemaWords
    let check: WitnessCheck

    /// Events that one schema takes and the other refuses, for each side.
    func search(from bases: [ExactJSON]) -> (old: [DiffWitness], new: [DiffWitness]) {
        var found: (old: [DiffWitness], new: [DiffWitness]) = ([], [])
        var waiting = bases + Self.plain
        var seen = Set(waiting)
        let mutations = DocumentMutations(words: words)
        var next = 0
        while next < waiting.count, next < Self.mostTries {
            let document = waiting[next]
            next += 1
            if found.old.count < Self.enough, let witness = check.witness(document, for: .old) {
                found.old.append(witness)
            }
            if found.new.count < Self.enough, let witness = check.witness(document, for: .new) {
                found.new.append(witness)
            }
            if found.old.count >= Self.enough, found.new.count >= Self.enough { break }
            let json = document.written(order: check.order)
            let isBase = next <= bases.count + Self.plain.count
            guard waiting.count < Self.mostTries,
                isBase || check.old.takes(json) == true || check.new.takes(json) == true
            else { continue }
            for mutant in mutations.of(document, atMost: 2 * Self.mostTries) where seen.insert(mutant).inserted {
                waiting.append(mutant)
            }
        }
        return found
    }
}
