/// Whether every event that one schema takes is taken by another.
enum SetAnswer {
    /// Every one is: proven.
    case contained
    /// These are not: a validator says so.
    case escapes([DiffWitness])
    /// It is not known, for that reason.
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
