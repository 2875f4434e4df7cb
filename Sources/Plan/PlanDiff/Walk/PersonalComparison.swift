internal import JSONSchema
internal import TrackingPlan

/// Walks through the values that two schemas describe, and lists the values whose protection changed.
struct PersonalComparison {
    /// A value with different marks.
    struct Finding {
        let path: [String]
        let old: SchemaPart?
        let new: SchemaPart?
        /// A current schema of the value.
        let schema: Subschema?
    }

    private static let mostSteps = 20_000
    private static let mostFindings = 200
    private static let deepest = 100

    private(set) var findings: [Finding] = []
    /// Whether the walk was complete. If not, there may be more findings.
    private(set) var isComplete = true
    private var steps = 0
    private var open: Set<[Set<AppliedSchemas.Entry>]> = []
    /// The locations without findings, which need no second visit.
    private var alike: Set<[Set<AppliedSchemas.Entry>]> = []

    init(_ old: AppliedSchemas, _ new: AppliedSchemas) { walk(old: old, new: new, at: []) }

    private mutating func walk(old: AppliedSchemas, new: AppliedSchemas, at path: [String]) {
        // An impossible value needs no protection.
        guard !old.isImpossible, !new.isImpossible, isComplete else { return }
        let pair = [old.start, new.start]
        guard !alike.contains(pair), open.insert(pair).inserted else { return }
        defer { open.remove(pair) }
        steps += 1
        guard steps <= Self.mostSteps, path.count <= Self.deepest, findings.count < Self.mostFindings else {
            isComplete = false
            return
        }
        let count = findings.count
        let marks = (old: old.mark, new: new.mark)
        if PersonalProtection(marks.old) != PersonalProtection(marks.new) {
            findings.append(Finding(path: path, old: marks.old, new: marks.new, schema: new.schema))
        }
        for step in old.steps.union(new.steps).sorted(by: { $0.order < $1.order }) {
            walk(old: old.after(step), new: new.after(step), at: path + (step.token.map { [$0] } ?? []))
        }
        if findings.count == count, isComplete { alike.insert(pair) }
    }
}

/// The protection that `x-pii` gives to a value. More protection compares as greater.
struct PersonalProtection: Comparable {
    /// No protection.
    static let none = PersonalProtection(nil)

    private let level: Int
    private let shortness: Int

    /// Reads a mark. An invalid mark counts as personal and kept.
    init(_ mark: SchemaPart?) {
        guard let mark else {
            level = 0
            shortness = 0
            return
        }
        (level, shortness) =
            switch PersonalData(mark.value) {
            case PersonalData.none?: (0, 0)
            case .truncated(let count)?: (2, -count)
            case .hashed?: (3, 0)
            case .dropped?: (4, 0)
            case .kept?, nil: (1, 0)
            }
    }

    static func < (left: PersonalProtection, right: PersonalProtection) -> Bool {
        (left.level, left.shortness) < (right.level, right.shortness)
    }
}
