/// The shared resources of a set comparison: a validator, strings from the schemas, and a budget.
final class SetContext {
    /// Returns whether a value satisfies a schema; nil if the validator cannot decide.
    typealias Oracle = (_ schema: ExactJSON, _ value: ExactJSON) -> Bool?

    private let oracle: Oracle
    /// Strings from the schemas, which may match the schemas' patterns.
    let hints: [ExactText]
    private var budget: Int
    private var answers: [Question: Bool?] = [:]

    private struct Question: Hashable {
        let schema: ExactJSON
        let value: ExactJSON
    }

    init(hints: [ExactText] = [], budget: Int = 60_000, oracle: @escaping Oracle) {
        self.oracle = oracle
        self.hints = hints
        self.budget = budget
    }

    /// Consumes part of the budget.
    ///
    /// - Throws: ``BeyondSets`` when the budget is used up.
    func spend(_ steps: Int = 1) throws(BeyondSets) {
        budget -= steps
        guard budget >= 0 else { throw BeyondSets("the schemas combine too many alternatives") }
    }

    /// Returns whether a value satisfies a schema.
    ///
    /// - Throws: ``BeyondSets`` if the validator cannot decide.
    func accepts(_ schema: ExactJSON, _ value: ExactJSON) throws(BeyondSets) -> Bool {
        let question = Question(schema: schema, value: value)
        let answer: Bool?
        if let known = answers[question] {
            answer = known
        } else {
            try spend(5)
            answer = oracle(schema, value)
            answers[question] = .some(answer)
        }
        guard let answer else { throw BeyondSets("the validator cannot decide whether a value is valid") }
        return answer
    }

    /// Returns whether a value satisfies all conditions.
    func accepts(_ atoms: AtomSet, _ value: ExactJSON) throws(BeyondSets) -> Bool {
        for atom in AtomSet.sorted(atoms.required) where !(try accepts(atom.schema, value)) { return false }
        for atom in AtomSet.sorted(atoms.excluded) where try accepts(atom.schema, value) { return false }
        return true
    }
}

/// A part of a difference, with its location in the values.
struct SetPiece<Shape> {
    var shape: Shape
    /// The names and indexes from the root value to the difference.
    var trail: [String] = []

    /// Subtracts shapes one after the other. The first trail is kept.
    static func rest(
        of shapes: [Shape], _ others: [Shape], _ subtract: (Shape, Shape) throws(BeyondSets) -> [SetPiece]
    ) throws(BeyondSets) -> [SetPiece] {
        var left = shapes.map { SetPiece(shape: $0) }
        for other in others where !left.isEmpty {
            var next: [SetPiece] = []
            for piece in left {
                for found in try subtract(piece.shape, other) {
                    next.append(SetPiece(shape: found.shape, trail: piece.trail.isEmpty ? found.trail : piece.trail))
                }
            }
            left = next
        }
        return left
    }
}

/// The reason why a set comparison is undecided: sets cannot express the schemas, or the budget is used up.
struct BeyondSets: Error, Hashable {
    /// The reason, as a clause.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
