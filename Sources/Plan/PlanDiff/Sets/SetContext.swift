/// What the comparison of two sets may use: a validator, words from the schemas, and a budget that it shares.
final class SetContext {
    /// Asks a validator whether a value meets a schema; nil if it cannot tell.
    typealias Oracle = (_ schema: ExactJSON, _ value: ExactJSON) -> Bool?

    private let oracle: Oracle
    /// Strings that the schemas name: values that meet their patterns, with some luck.
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

    /// Takes from the budget.
    ///
    /// - Throws: ``BeyondSets`` when it is used up.
    func spend(_ steps: Int = 1) throws(BeyondSets) {
        budget -= steps
        guard budget >= 0 else { throw BeyondSets("the schemas combine too many alternatives") }
    }

    /// Whether a value meets a schema.
    ///
    /// - Throws: ``BeyondSets`` if the validator cannot tell.
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
        guard let answer else { throw BeyondSets("the validator cannot tell whether a value meets a schema") }
        return answer
    }

    /// Whether a value meets all conditions.
    func accepts(_ atoms: AtomSet, _ value: ExactJSON) throws(BeyondSets) -> Bool {
        for atom in AtomSet.sorted(atoms.required) where !(try accepts(atom.schema, value)) { return false }
        for atom in AtomSet.sorted(atoms.excluded) where try accepts(atom.schema, value) { return false }
        return true
    }
}

/// A part of a difference, and where in the values it lies.
struct SetPiece<Shape> {
    var shape: Shape
    /// The names and indexes on the way from the outermost value to where the sets differ.
    var trail: [String] = []

    /// What is left of shapes when others are taken away one after the other. The first trail stays.
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

/// Why a question about sets of values stays open: what is asked is beyond what they can express, or beyond the budget.
struct BeyondSets: Error, Hashable {
    /// The reason, in a clause.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
