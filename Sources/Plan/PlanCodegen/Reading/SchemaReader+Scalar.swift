internal import JSONSchema

extension SchemaReader {
    mutating func string(_ location: SchemaLocation, _ role: SchemaRole) -> StringRule {
        allow([.type, .minLength, .maxLength, .format, .pattern], names: role.names, in: location)
        var rule = StringRule()
        rule.length = counts(.minLength, .maxLength, of: location)
        if let format = text(.format, of: location) {
            rule.format = StringRule.Format(rawValue: format)
            if rule.format == nil {
                let known = StringRule.Format.allCases.map(\.rawValue).joined(separator: ", ")
                report(
                    keyword: .format, of: location,
                    "unsupported format \(format): use \(known), or describe the format in the description")
            }
        }
        rule.pattern = pattern(location)
        let isFormed = rule.format != nil || location[.pattern] != nil
        rule.redaction = redaction(location)
        switch rule.redaction {
        case .none: break
        case .hash:
            let isMatch = rule.pattern?.table.accepts(every: "0123456789abcdef".utf8, count: 64) ?? true
            if !rule.length.contains(64) || rule.format != nil || !isMatch {
                report(location, "a hash has 64 hexadecimal digits: adjust lengths and pattern, and remove the format")
            }
        case .truncate(let count):
            if !rule.length.contains(count) || isFormed {
                report(location, "allow a length of \(count) for truncate:\(count), and remove format and pattern")
            }
        }
        return rule
    }

    private mutating func pattern(_ location: SchemaLocation) -> (source: String, table: StateTable)? {
        guard let source = text(.pattern, of: location) else { return nil }
        do throws(PatternStates.Unsupported) { return (source, try StateTable(source)) } catch {
            report(
                keyword: .pattern, of: location,
                "this pattern cannot be compiled: \(error.reason); simplify it, or list the values in enum")
            return nil
        }
    }

    mutating func integer(_ location: SchemaLocation, _ role: SchemaRole) -> IntegerRule {
        allow(
            [.type, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf], names: role.names,
            in: location)
        var lower = IntegerRule.interoperable.lowerBound
        var upper = IntegerRule.interoperable.upperBound
        if let bound = integer(.minimum, of: location) { lower = max(lower, bound) }
        if let bound = integer(.exclusiveMinimum, of: location) { lower = max(lower, bound + 1) }
        if let bound = integer(.maximum, of: location) { upper = min(upper, bound) }
        if let bound = integer(.exclusiveMaximum, of: location) { upper = min(upper, bound - 1) }
        var rule = IntegerRule()
        if lower <= upper { rule.range = lower...upper } else { report(location, "no integer is within the limits") }
        if let divisor = integer(.multipleOf, of: location) {
            if divisor > 0 { rule.divisor = divisor } else { report(location, "multipleOf must be greater than 0") }
        }
        return rule
    }

    private mutating func integer(_ keyword: SchemaKeyword, of location: SchemaLocation) -> Int? {
        guard let found = location[keyword] else { return nil }
        guard let value = found.value.integer, IntegerRule.interoperable.contains(value) else {
            report(found, "a limit of an integer must be an integer within ±(2^53 − 1)")
            return nil
        }
        return value
    }

    mutating func number(_ location: SchemaLocation, _ role: SchemaRole) -> NumberRule {
        allow(
            [.type, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf], names: role.names,
            in: location)
        var rule = NumberRule()
        rule.minimum = number(.minimum, of: location)
        rule.exclusiveMinimum = number(.exclusiveMinimum, of: location)
        rule.maximum = number(.maximum, of: location)
        rule.exclusiveMaximum = number(.exclusiveMaximum, of: location)
        if let found = location[.multipleOf] {
            if let divisor = found.value.integer, divisor > 0 {
                rule.divisor = "\(divisor)"
            } else {
                report(
                    found,
                    "doubles cannot be exact multiples: use an integer of the smallest unit, such as cents")
            }
        }
        return rule
    }

    /// Returns a limit that a `Double` holds exactly as written, so that comparing doubles is exact.
    private mutating func number(_ keyword: SchemaKeyword, of location: SchemaLocation) -> String? {
        guard let found = location[keyword] else { return nil }
        guard let text = found.value.number, text.filter(\.isNumber).count <= 15, let value = Double(text),
            value.isFinite
        else {
            report(found, "a limit of a number must have at most 15 digits")
            return nil
        }
        return text
    }
}

/// `x-pii`: `false`, `true`, `"drop"`, `"hash"` or `"truncate:N"`.
extension SchemaReader {
    /// Reports an invalid `x-pii`, and one that has no effect here.
    mutating func checkPrivacy(_ location: SchemaLocation, _ role: SchemaRole) {
        guard let found = location["x-pii"], let text = privacyText(location) else { return }
        let isText = location[.type]?.value.string == "string" && location[.enum] == nil && location[.oneOf] == nil
        switch role {
        case .eventValue: report(found, "the value itself is always written: move x-pii to its properties")
        case .property where text == "drop": break
        case .element where text == "drop":
            report(found, "elements cannot be dropped: move \"drop\" to the array, and remove it from required")
        case .definition where text == "drop":
            report(found, "a definition cannot be dropped: move \"drop\" to the member")
        case _ where location[.ref] != nil:
            report(found, "x-pii has no effect on a reference: move it to the definition")
        case _ where !isText:
            report(found, "only strings can be redacted: write true or \"drop\", or move x-pii to the items")
        default: break
        }
    }

    /// Reports an `x-pii` that would change the value.
    mutating func reportRedaction(_ location: SchemaLocation, _ message: String) {
        if let found = location["x-pii"], privacyText(location) != nil { report(found, message) }
    }

    /// Returns the text of `x-pii`, if it would change the value.
    private mutating func privacyText(_ location: SchemaLocation) -> String? {
        guard let found = location["x-pii"], found.value.boolean == nil else { return nil }
        guard let text = found.value.string, text == "drop" || Self.redaction(text) != nil else {
            report(found, "x-pii must be false, true, \"drop\", \"hash\" or \"truncate:N\"")
            return nil
        }
        return text
    }

    /// Returns the meaning of a member's `x-pii`.
    func privacy(_ location: SchemaLocation) -> (isPersonal: Bool, isDropped: Bool) {
        guard let found = location["x-pii"]?.value else { return (false, false) }
        return (found.boolean ?? true, found.string == "drop")
    }

    func redaction(_ location: SchemaLocation) -> StringRule.Redaction {
        location["x-pii"]?.value.string.flatMap(Self.redaction) ?? .none
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
