internal import JSONSchema

/// Generates the statements that check a property's limits.
enum Checks {
    static func write(_ property: Property, _ source: inout SourceText) {
        guard !property.isRequired else {
            return check(StructWriter.reference(property), type: property.type, of: property, to: &source)
        }
        let (binding, value) = JSONStatements.unwrapping(property)
        source.block("if \(binding)") { check(value, type: property.type, of: property, to: &$0) }
    }

    private static func check(
        _ value: String, type: ValueType, of owner: Property, to source: inout SourceText
    ) {
        let property = SwiftLiteral.string(owner.name)
        switch type {
        case .boolean, .enumeration: break
        case .integer(let rule):
            let divisor = rule.divisor == 1 ? [] : ["multipleOf: \(SwiftLiteral.integer(rule.divisor))"]
            call("integer", arguments: [value, SwiftLiteral.range(rule.range)] + divisor + [property], to: &source)
        case .number(let rule):
            // The labels of the function are the keywords.
            let limits: [(SchemaKeyword, String?)] = [
                (.minimum, rule.minimum), (.exclusiveMinimum, rule.exclusiveMinimum), (.maximum, rule.maximum),
                (.exclusiveMaximum, rule.exclusiveMaximum), (.multipleOf, rule.divisor),
            ]
            let arguments = limits.compactMap { keyword, limit in
                limit.map { "\(keyword.rawValue): \(SwiftLiteral.number($0))" }
            }
            call("number", arguments: [value] + arguments + [property], to: &source)
        case .string(let rule): string(value, rule: rule, of: owner, to: &source)
        case .object:
            source.line("do { try \(value).validate() } catch { throw error.within(\(property)) }")
        case .array(let rule):
            if rule.count != 0...Int.max {
                call("items", arguments: ["\(value).count", SwiftLiteral.range(rule.count), property], to: &source)
            }
            if rule.isUnique { call("unique", arguments: [value, property], to: &source) }
            guard rule.element.isLimited else { return }
            source.block("for (index, element) in \(value).enumerated()") { source in
                source.line("do throws(TrackingEventError) {")
                source.indented { check("element", type: rule.element, of: owner, to: &$0) }
                source.line("} catch {")
                source.indented { $0.line("throw error.inElement(index, of: \(property))") }
                source.line("}")
            }
        case .free(let count):
            call("properties", arguments: ["\(value).count", SwiftLiteral.range(count), property], to: &source)
        }
    }

    private static func string(
        _ value: String, rule: StringRule, of owner: Property, to source: inout SourceText
    ) {
        let property = SwiftLiteral.string(owner.name)
        switch rule.redaction {
        case .hash: break
        case .truncate(let count):
            let cut = "truncatedTo: \(SwiftLiteral.integer(count))"
            call("length", arguments: [value, cut, SwiftLiteral.range(rule.length), property], to: &source)
        case .none:
            if rule.length != 0...Int.max {
                call("length", arguments: [value, SwiftLiteral.range(rule.length), property], to: &source)
            }
            switch rule.format {
            case .uuid: call("uuid", arguments: [value, property], to: &source)
            case .date: call("date", arguments: [value, property], to: &source)
            case .dateTime: call("dateTime", arguments: [value, property], to: &source)
            case nil: break
            }
            if rule.pattern != nil {
                let function = SchemaKeyword.pattern.rawValue
                call(function, arguments: [value, "Self.\(patternName(owner))", property], to: &source)
            }
        }
    }

    private static func patternName(_ property: Property) -> String { "\(property.swiftName)Pattern" }

    /// Adds the table of a property's pattern, if the pattern is checked.
    static func writePattern(of property: Property, _ source: inout SourceText) {
        guard !property.isDropped, let pattern = pattern(of: property.type) else { return }
        let table = pattern.table
        source.line()
        source.line("private static let \(patternName(property)) = TextPattern(")
        source.indented { source in
            source.line("\(SwiftLiteral.string(pattern.source)),")
            source.array("columns: [", rows: [table.columns], tail: "],")
            source.line("start: \(table.start), firstAccepting: \(table.firstAccepting),")
            let width = table.columns.count + 1
            let rows = stride(from: 0, to: table.next.count, by: width).map { Array(table.next[$0..<$0 + width]) }
            source.array("next: [", rows: rows, tail: "])")
        }
    }

    private static func pattern(of type: ValueType) -> (source: String, table: StateTable)? {
        switch type {
        case .string(let rule): rule.redaction == .none ? rule.pattern : nil
        case .array(let rule): pattern(of: rule.element)
        default: nil
        }
    }

    private static func call(_ function: String, arguments: [String], to source: inout SourceText) {
        source.call("try EventLimits.\(function)", arguments: arguments)
    }
}
