internal import JSONSchema
internal import Primitives

/// Tries a limited number of documents near the schemas' examples, in a fixed order, until the validators disagree. For
/// schemas that sets cannot express.
struct WitnessSearch {
    /// The maximum number of documents to validate.
    private static let mostTries = 4000
    /// The number of witnesses to find for each side.
    private static let enough = 5
    /// Starting points if the schemas give none.
    private static let plain: [ExactJSON] = [.object([:]), .array([]), .string("a"), .number(ScaledDecimal(1)), .null]

    let words: SchemaWords
    let check: WitnessCheck

    /// Returns events that one schema accepts and the other rejects, for each side.
    func search(from bases: [ExactJSON]) -> (old: [DiffWitness], new: [DiffWitness]) {
        var found: (old: [DiffWitness], new: [DiffWitness]) = ([], [])
        var waiting = bases + Self.plain
        var seen = Set(waiting)
        let mutations = DocumentMutations(words: words)
        var next = 0
        while next < waiting.count, next < Self.mostTries {
            let document = waiting[next]
            next += 1
            let judged = check.judge(document)
            if found.old.count < Self.enough, let witness = judged.witness(for: .old) { found.old.append(witness) }
            if found.new.count < Self.enough, let witness = judged.witness(for: .new) { found.new.append(witness) }
            if found.old.count >= Self.enough, found.new.count >= Self.enough { break }
            let isBase = next <= bases.count + Self.plain.count
            guard waiting.count < Self.mostTries, isBase || judged.isTaken else { continue }
            for mutant in mutations.of(document, atMost: 2 * Self.mostTries) where seen.insert(mutant).inserted {
                waiting.append(mutant)
            }
        }
        return found
    }
}

/// Validates documents against both schemas before a report shows them.
struct WitnessCheck {
    let old: DiffJudge
    let new: DiffJudge
    /// The order in which to write member names.
    let order: [ExactText: Int]

    /// Returns the document as a witness; nil if the validators don't disagree in this direction.
    func witness(_ document: ExactJSON, for side: DiffWitness.Side, trail: [String] = []) -> DiffWitness? {
        judge(document).witness(for: side, trail: trail)
    }

    /// Validates a document against both schemas.
    func judge(_ document: ExactJSON) -> JudgedDocument {
        let json = document.written(order: order)
        return JudgedDocument(check: self, json: json, old: old.accepts(json), new: new.accepts(json))
    }
}

/// The results of both validators; nil for a validator that gave up.
struct JudgedDocument {
    let check: WitnessCheck
    let json: String
    let old: Bool?
    let new: Bool?

    /// Whether at least one schema accepts the document.
    var isTaken: Bool { old == true || new == true }

    /// Returns the document as a witness; nil if the validators don't disagree in this direction.
    func witness(for side: DiffWitness.Side, trail: [String] = []) -> DiffWitness? {
        let (taking, refusing) = side == .old ? (old, new) : (new, old)
        guard taking == true, refusing == false else { return nil }
        let rejections = (side == .old ? check.new : check.old).rejections(of: json)
        return DiffWitness(side: side, json: json, rejections: rejections, trail: trail)
    }
}

/// Documents that differ from another in one location.
struct DocumentMutations {
    private let values: [ExactJSON]
    private let names: [ExactText]

    init(words: SchemaWords) {
        var values: [ExactJSON] = [.string("a"), .string(""), .number(ScaledDecimal(0)), .null, .boolean(true)]
        values += words.strings.prefix(30).map { .string($0) }
        for number in words.numbers.prefix(20) {
            let steps: [WideInteger] = [0, ScaledDecimal.one, -ScaledDecimal.one, ScaledDecimal.one / 2]
            values += steps.compactMap { ScaledDecimal(units: number.units + $0).map { .number($0) } }
        }
        for length in words.lengths.prefix(20) where length <= 100_000 {
            for length in [length - 1, length, length + 1] where length >= 0 {
                values.append(.string(ExactText(String(repeating: "a", count: length))))
            }
        }
        values += [
            .number(ScaledDecimal(-1)), .number(ScaledDecimal(units: ScaledDecimal.one / 2) ?? ScaledDecimal(2)),
        ]
        values += [.boolean(false), .array([]), .object([:]), .string("A b/1")]
        var seen: Set<ExactJSON> = []
        self.values = values.filter { seen.insert($0).inserted }
        names = words.names + [ExactText("other"), ExactText("x-1")]
    }

    /// Returns mutations, those near the root first.
    ///
    /// - Parameter count: The approximate maximum.
    func of(_ document: ExactJSON, atMost count: Int) -> [ExactJSON] {
        var mutants: [ExactJSON] = []
        switch document {
        case .object(let members):
            for name in members.keys.sorted() {
                var fewer = members
                fewer[name] = nil
                mutants.append(.object(fewer))
            }
            for name in members.keys.sorted() {
                guard let value = members[name], mutants.count < count else { continue }
                mutants += of(value, atMost: count - mutants.count).map { .object(members.merging([name: $0]) { $1 }) }
            }
            for name in names where members[name] == nil {
                for value in values.prefix(6) { mutants.append(.object(members.merging([name: value]) { $1 })) }
            }
        case .array(let elements):
            for location in elements.indices where mutants.count < count {
                mutants += of(elements[location], atMost: count - mutants.count).map { mutant in
                    var others = elements
                    others[location] = mutant
                    return .array(others)
                }
            }
            if !elements.isEmpty { mutants.append(.array(Array(elements.dropLast()))) }
            if let last = elements.last { mutants.append(.array(elements + [last])) }
            for value in values.prefix(6) { mutants.append(.array(elements + [value])) }
        default: break
        }
        return mutants + values
    }
}
