package import EventModel
package import JSONSchema

/// The distinct purposes of a plan's events, and their Swift names.
package struct PlanPurposes: Sendable {
    /// A purpose that the plan cannot have.
    package struct Issue: Sendable {
        package let purpose: Purpose
        /// The reason and advice.
        package let message: String
    }

    /// Analytics first, because events of the SDK have this purpose; then the others by name, without exempt.
    package let all: [Purpose]

    /// Makes the list from the purposes of events, in any order.
    package init(_ purposes: some Sequence<Purpose>) {
        let others = Set(purposes).subtracting([.analytics, .exempt])
        all = [.analytics] + others.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The purposes that the plan adds to the SDK's.
    package var own: ArraySlice<Purpose> { all.dropFirst() }

    /// The purposes beyond ``EventModel/Purpose/maximumCount``.
    package var excess: [Issue] {
        let allowed = all.prefix(Purpose.maximumCount).map(\.name).joined(separator: ", ")
        return all.dropFirst(Purpose.maximumCount).map { purpose in
            Issue(
                purpose: purpose,
                message: "the plan has \(all.count) purposes, and at most \(Purpose.maximumCount) are allowed: replace "
                    + "\(purpose) by one of \(allowed)")
        }
    }

    /// The purposes whose Swift names are reserved, or are those of another purpose.
    package var swiftIssues: [Issue] {
        var first: [String: Purpose] = [:]
        return own.compactMap { purpose in
            guard let name = purpose.swiftName else {
                return Issue(purpose: purpose, message: "\(purpose) is reserved in Swift: choose another name")
            }
            guard let other = first[name] else {
                first[name] = purpose
                return nil
            }
            return Issue(
                purpose: purpose, message: "\(other) already has the Swift name \(name): choose another name")
        }
    }
}

extension Purpose {
    /// Reads the value of `x-purpose`; nil if it is not a name in kebab-case.
    package init?(schemaValue value: JSONDocument.Value) {
        guard let name = value.string, EventName.isValid(name) else { return nil }
        self.init(name)
    }

    /// The member in Swift: `userResearch` for `user-research`; nil if the name is reserved.
    package var swiftName: String? {
        guard self != .analytics, self != .exempt else { return name }
        let reserved = ["description", "hash", "hashValue", "isValid", "maximumCount", "name", "planned"]
        return SwiftName.member(name).flatMap { SwiftName.isMember($0) && !reserved.contains($0) ? $0 : nil }
    }
}

extension PlanSchema {
    /// The event's purpose: `x-purpose` in its root schema; analytics without it, or if its value is invalid.
    package var purpose: Purpose { root[.purpose].flatMap { Purpose(schemaValue: $0) } ?? .analytics }
}
