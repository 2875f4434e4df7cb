/// Every rule: what the comparison of two schemas can find.
package enum ChangeRules {
    /// In the order of the documentation.
    package static let all: [ChangeRule] =
        types + objects + members + values + numbers + strings + arrays + combined + notes

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// The rule of that name.
    package static func rule(_ id: String) -> ChangeRule? { byID[id] }
}
