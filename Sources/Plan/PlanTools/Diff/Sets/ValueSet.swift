/// A set of JSON values: for each type, the shapes whose union it is.
///
/// What a schema accepts becomes such a set (``SetReader``); the difference of two says which values one schema takes
/// and the other does not, and a sample of it is a witness.
struct ValueSet: Hashable, Sendable {
    var hasNull = false
    var booleans: Set<Bool> = []
    var numbers: [NumberShape] = []
    var strings: [StringShape] = []
    var arrays: [ArrayShape] = []
    var objects: [ObjectShape] = []

    /// No value.
    static let none = ValueSet()

    /// Every value.
    static let everything = ValueSet(
        hasNull: true, booleans: [true, false], numbers: [.everything], strings: [.everything], arrays: [.everything],
        objects: [.everything])

    /// One value.
    static func exactly(_ value: ExactJSON) -> ValueSet {
        switch value {
        case .null: ValueSet(hasNull: true)
        case .boolean(let flag): ValueSet(booleans: [flag])
        case .number(let number): ValueSet(numbers: [NumberShape(values: [number])])
        case .string(let text): ValueSet(strings: [StringShape(values: [text])])
        case .array(let elements): ValueSet(arrays: [.exactly(elements)])
        case .object(let members): ValueSet(objects: [.exactly(members)])
        }
    }

    /// Whether it is empty, as far as can be seen at once.
    var isPlainlyEmpty: Bool {
        !hasNull && booleans.isEmpty && numbers.allSatisfy(\.isPlainlyEmpty) && strings.allSatisfy(\.isPlainlyEmpty)
            && arrays.allSatisfy(\.isPlainlyEmpty) && objects.allSatisfy(\.isPlainlyEmpty)
    }

    /// What is in both.
    func intersection(_ other: ValueSet, in context: SetContext) throws(BeyondSets) -> ValueSet {
        try context.spend()
        var common = ValueSet(hasNull: hasNull && other.hasNull, booleans: booleans.intersection(other.booleans))
        for left in numbers {
            for right in other.numbers { common.numbers.append(try left.intersection(right)) }
        }
        for left in strings { common.strings += other.strings.map(left.intersection) }
        for left in arrays {
            for right in other.arrays { common.arrays += try left.intersection(right, in: context) }
        }
        for left in objects {
            for right in other.objects { common.objects += try left.intersection(right, in: context) }
        }
        common.numbers.removeAll(where: \.isPlainlyEmpty)
        common.strings.removeAll(where: \.isPlainlyEmpty)
        try context.spend(common.numbers.count + common.strings.count)
        return common
    }

    /// What is in both; nil is every value.
    static func intersection(
        _ left: ValueSet?, _ right: ValueSet?, in context: SetContext
    ) throws(BeyondSets) -> ValueSet? {
        guard let left, let right else { return left ?? right }
        return try left.intersection(right, in: context)
    }
}
