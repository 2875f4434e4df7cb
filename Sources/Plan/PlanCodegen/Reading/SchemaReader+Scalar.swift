internal import JSONSchema

extension SchemaReader {
    mutating func string(_ place: SchemaPlace, _ role: SchemaRole) -> StringRule {
        allow([.type, .minLength, .maxLength, .format, .pattern], names: role.names, in: place)
        var rule = StringRule()
        rule.length = counts(.minLength, .maxLength, of: place)
        if let format = text(.format, of: place) {
            rule.format = StringRule.Format(rawValue: format)
            if rule.format == nil {
                let known = StringRule.Format.allCases.map(\.rawValue).joined(separator: ", ")
                refuse(
                    keyword: .format, of: place,
                    "\(format) is not checked, only \(known) are: take it out and say it in the description")
            }
        }
        rule.pattern = pattern(place)
        let isFormed = rule.format != nil || place[.pattern] != nil
        rule.redaction = redaction(place)
        switch rule.redaction {
        case .none: break
        case .hash:
            let isMatch = rule.pattern?.table.accepts(every: "0123456789abcdef".utf8, count: 64) ?? true
            if !rule.length.contains(64) || rule.format != nil || !isMatch {
                refuse(place, "a hash is 64 hex digits: let lengths and pattern allow that, without a format")
            }
        case .truncate(let count):
            if !rule.length.contains(count) || isFormed {
                refuse(place, "let the lengths allow \(count) scalars, without format or pattern")
            }
        }
        return rule
    }

    private mutating func pattern(_ place: SchemaPlace) -> (source: String, table: StateTable)? {
        guard let source = text(.pattern, of: place) else { return nil }
        do throws(PatternStates.Refusal) { return (source, try StateTable(source)) } catch {
            refuse(
                keyword: .pattern, of: place,
                "this pattern has no table of states: \(error.reason); write it simpler, or give the values in enum")
            return nil
        }
    }

    mutating func integer(_ place: SchemaPlace, _ role: SchemaRole) -> IntegerRule {
        allow(
            [.type, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf], names: role.names,
            in: place)
        var lower = IntegerRule.interoperable.lowerBound
        var upper = IntegerRule.interoperable.upperBound
        if let bound = integer(.minimum, of: place) { lower = max(lower, bound) }
        if let bound = integer(.exclusiveMinimum, of: place) { lower = max(lower, bound + 1) }
        if let bound = integer(.maximum, of: place) { upper = min(upper, bound) }
        if let bound = integer(.exclusiveMaximum, of: place) { upper = min(upper, bound - 1) }
        var rule = IntegerRule()
        if lower <= upper { rule.range = lower...upper } else { refuse(place, "no integer is within its limits") }
        if let divisor = integer(.multipleOf, of: place) {
            if divisor > 0 { rule.divisor = divisor } else { refuse(place, "multipleOf is greater than 0") }
        }
        return rule
    }

    private mutating func integer(_ keyword: SchemaKeyword, of place: SchemaPlace) -> Int? {
        guard let found = place[keyword] else { return nil }
        guard let value = found.value.integer, IntegerRule.interoperable.contains(value) else {
            refuse(found, "a limit of an integer is an integer within ±(2^53 − 1)")
            return nil
        }
        return value
    }

    mutating func number(_ place: SchemaPlace, _ role: SchemaRole) -> NumberRule {
        allow(
            [.type, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf], names: role.names,
            in: place)
        var rule = NumberRule()
        rule.minimum = number(.minimum, of: place)
        rule.exclusiveMinimum = number(.exclusiveMinimum, of: place)
        rule.maximum = number(.maximum, of: place)
        rule.exclusiveMaximum = number(.exclusiveMaximum, of: place)
        if let found = place[.multipleOf] {
            if let divisor = found.value.integer, divisor > 0 {
                rule.divisor = "\(divisor)"
            } else {
                refuse(
                    found,
                    "binary fractions are no exact multiples: make it an integer of the smallest unit, such as cents")
            }
        }
        return rule
    }

    /// A limit that a `Double` holds as it is written, so that comparing doubles compares what is written.
    private mutating func number(_ keyword: SchemaKeyword, of place: SchemaPlace) -> String? {
        guard let found = place[keyword] else { return nil }
        guard let text = found.value.number, text.filter(\.isNumber).count <= 15, let value = Double(text),
            value.isFinite
        else {
            refuse(found, "a limit of a number has at most 15 digits")
            return nil
        }
        return text
    }
}

/// `x-pii`: `false`, `true`, `"drop"`, `"hash"` or `"truncate:N"`.
extension SchemaReader {
    /// Refuses an `x-pii` that is none of these, and one that would change nothing where it stands.
    mutating func checkPrivacy(_ place: SchemaPlace, _ role: SchemaRole) {
        guard let found = place["x-pii"], let text = privacyText(place) else { return }
        let isText = place[.type]?.value.string == "string" && place[.enum] == nil && place[.oneOf] == nil
        switch role {
        case .eventValue: refuse(found, "the value itself is always written: put x-pii to its properties")
        case .property where text == "drop": break
        case .element where text == "drop":
            refuse(found, "elements cannot be left out: put \"drop\" to the array, and leave it out of required")
        case .definition where text == "drop":
            refuse(found, "a definition cannot be left out: put \"drop\" to the member")
        case _ where place[.ref] != nil:
            refuse(found, "a reference changes nothing: put it to the definition")
        case _ where !isText:
            refuse(found, "only texts can be changed, these cannot: write true or \"drop\", or put it to the items")
        default: break
        }
    }

    /// Refuses every `x-pii` that would change something.
    mutating func refusePrivacy(_ place: SchemaPlace, _ message: String) {
        if let found = place["x-pii"], privacyText(place) != nil { refuse(found, message) }
    }

    /// The text of `x-pii`, if it is one of those that change something.
    private mutating func privacyText(_ place: SchemaPlace) -> String? {
        guard let found = place["x-pii"], found.value.boolean == nil else { return nil }
        guard let text = found.value.string, text == "drop" || Self.redaction(text) != nil else {
            refuse(found, "x-pii is false, true, \"drop\", \"hash\" or \"truncate:N\"")
            return nil
        }
        return text
    }

    /// What `x-pii` says of a member.
    func privacy(_ place: SchemaPlace) -> (isPersonal: Bool, isDropped: Bool) {
        guard let found = place["x-pii"]?.value else { return (false, false) }
        return (found.boolean ?? true, found.string == "drop")
    }

    /// What is written in place of a text.
    func redaction(_ place: SchemaPlace) -> StringRule.Redaction {
        place["x-pii"]?.value.string.flatMap(Self.redaction) ?? .none
    }

    private static func redaction(_ text: String) -> StringRule.Redaction? {
        if text == "hash" { return .hash }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "truncate", let count = Int(parts[1]), "\(count)" == parts[1],
            (1...Int(Int32.max)).contains(count)
        else { return nil }
        return .truncate(count)
    }
}
