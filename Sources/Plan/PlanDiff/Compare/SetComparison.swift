internal import JSONSchema

/// Compares the sets of events that two schemas accept, in both directions.
struct SetComparison {
    /// The maximum number of difference pieces to examine.
    private static let mostPieces = 200

    /// Whether every old event is still valid.
    private(set) var oldInNew: SetAnswer
    /// Whether every event of the new schema is valid in the old schema.
    private(set) var newInOld: SetAnswer

    /// - Parameter check: Validates documents against both schemas.
    init(
        _ old: Subschema, _ new: Subschema, words: SchemaWords, check: WitnessCheck
    ) {
        let oracle = AtomOracle()
        var bases = words.examples
        for isFull in [true, false] {
            bases += [
                PlainDocument(isFull: isFull).build(old), PlainDocument(isFull: isFull).build(new),
            ].compactMap { $0 }
        }
        do throws(BeyondSets) {
            let before = try ReferenceInliner().inline(old)
            let after = try ReferenceInliner().inline(new)
            guard before != after else {
                oldInNew = .contained
                newInOld = .contained
                return
            }
            let context = SetContext(hints: words.hints, oracle: oracle.ask)
            let sets = (
                old: try SetReader(context: context).read(before), new: try SetReader(context: context).read(after)
            )
            bases += Self.samples(of: sets.old, words, oracle) + Self.samples(of: sets.new, words, oracle)
            oldInNew = Self.answer(sets.old, in: sets.new, side: .old, words: words, oracle: oracle, check: check)
            newInOld = Self.answer(sets.new, in: sets.old, side: .new, words: words, oracle: oracle, check: check)
        } catch {
            oldInNew = .open(error.reason)
            newInOld = .open(error.reason)
        }
        guard oldInNew.openReason != nil || newInOld.openReason != nil else { return }
        let found = WitnessSearch(words: words, check: check).search(from: bases)
        if oldInNew.openReason != nil, !found.old.isEmpty { oldInNew = .escapes(found.old) }
        if newInOld.openReason != nil, !found.new.isEmpty { newInOld = .escapes(found.new) }
    }

    private static func samples(of set: ValueSet, _ words: SchemaWords, _ oracle: AtomOracle) -> [ExactJSON] {
        // Without samples, the search starts from other documents.
        (try? set.samples(4, in: SetContext(hints: words.hints, oracle: oracle.ask))) ?? []
    }

    /// Returns whether one set contains another; samples of the difference are witnesses.
    private static func answer(
        _ set: ValueSet, in other: ValueSet, side: DiffWitness.Side, words: SchemaWords, oracle: AtomOracle,
        check: WitnessCheck
    ) -> SetAnswer {
        let context = SetContext(hints: words.hints, oracle: oracle.ask)
        var witnesses: [DiffWitness] = []
        var reason: String?
        do throws(BeyondSets) {
            let pieces = try set.difference(other, in: context)
            if pieces.count > mostPieces { reason = "the schemas differ in too many ways" }
            for piece in pieces.prefix(mostPieces) {
                let context = SetContext(hints: words.hints, budget: 20_000, oracle: oracle.ask)
                do throws(BeyondSets) {
                    guard let sample = try piece.shape.sample(in: context) else { continue }
                    if let witness = check.witness(sample, for: side, trail: piece.trail) {
                        if !witnesses.contains(where: { $0.json == witness.json }) { witnesses.append(witness) }
                    } else {
                        reason = "a validator did not confirm the event that was found"
                    }
                } catch { reason = error.reason }
            }
        } catch { reason = error.reason }
        if !witnesses.isEmpty { return .escapes(witnesses) }
        return reason.map { .open($0) } ?? .contained
    }
}

/// The answer to whether one schema accepts every event that another accepts.
enum SetAnswer {
    /// Yes, proven.
    case contained
    /// No: a validator confirmed these events.
    case escapes([DiffWitness])
    /// Undecided, with the reason.
    case open(String)

    var isContained: Bool {
        if case .contained = self { true } else { false }
    }

    var witnesses: [DiffWitness] {
        if case .escapes(let witnesses) = self { witnesses } else { [] }
    }

    var openReason: String? {
        if case .open(let reason) = self { reason } else { nil }
    }
}
