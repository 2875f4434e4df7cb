internal import JSONSchema

/// Generates the statements that check a property's limits.
enum Checks {
    static func write(_ property: Property, _ source: inout SourceText) {
        guard !property.isRequired else {
            return check(StructWriter.reference(property), property.type, property, &source)
        }
        let (binding, value) = JSONStatements.unwrapping(property)
        source.block("if \(binding)") { check(value, property.type, property, &$0) }
    }

    private static func check(
        _ value: String, _ type: ValueType, _ owner: Property, _ source: inout SourceText
    ) {
        let property = SwiftLiteral.string(owner.name)
        switch type {
        case .boolean, .enumeration: break
        case .integer(let rule):
            let divisor = rule.divisor == 1 ? [] : ["multipleOf: \(SwiftLiteral.integer(rule.divisor))"]
            call("integer", [value, SwiftLiteral.range(rule.range)] + divisor + [property], &source)
        case .number(let rule):
            // The labels of the function are the keywords.
            let limits: [(SchemaKeyword, String?)] = [
                (.minimum, rule.minimum), (.exclusiveMinimum, rule.exclusiveMinimum), (.maximum, rule.maximum),
                (.exclusiveMaximum, rule.exclusiveMaximum), (.multipleOf, rule.divisor),
            ]
            let arguments = limits.compactMap { keyword, limit in
                limit.map { "\(keyword.rawValue): \(SwiftLiteral.number($0))" }
            }
            call("number", [value] + arguments + [property], &source)
        case .string(let rule): string(value, rule, owner, &source)
        case .object:
            source.line("do { try \(value).validate() } catch { throw error.within(\(property)) }")
        case .array(let rule):
            if rule.count != 0...Int.max {
                call("items", ["\(value).count", SwiftLiteral.range(rule.count), property], &source)
            }
            if rule.isUnique { call("unique", [value, property], &source) }
            guard rule.element.isLimited else { return }
            source.block("for (index, element) in \(value).enumerated()") { source in
                source.line("do throws(TrackingEventError) {")
                source.indented { check("element", rule.element, owner, &$0) }
                source.line("} catch {")
                source.indented { $0.line("throw error.inElement(index, of: \(property))") }
                source.line("}")
            }
        case .free(let count):
            call("properties", ["\(value).count", SwiftLiteral.range(count), property], &source)
        }
    }

    private static func string(
        _ value: String, _ rule: StringRule, _ owner: Property, _ source: inout SourceText
    ) {
        let property = SwiftLiteral.string(owner.name)
        switch rule.redaction {
        case .hash: break
        case .truncate(let count):
            let cut = "truncatedTo: \(SwiftLiteral.integer(count))"
            call("length", [value, cut, SwiftLiteral.range(rule.length), property], &source)
        case .none:
            if rule.length != 0...Int.max {
                call("length", [value, SwiftLiteral.range(rule.length), property], &source)
            }
            switch rule.format {
            case .uuid: call("uuid", [value, property], &source)
            case .date: call("date", [value, property], &source)
            case .dateTime: call("dateTime", [value, property], &source)
            case nil: break
            }
            if rule.pattern != nil {
                let function = SchemaKeyword.pattern.rawValue
                call(function, [value, "Self.\(patternName(owner))", property], &source)
            }
        }
    }

    // MARK: Patterns

    private static func patternName(_ property: Property) -> String { "\(property.swiftName)Pattern" }

    /// Adds the table of a property's pattern, if the pattern is checked.
    static func writePattern(of property: Property, _ source: inout SourceText) {
        guard !property.isDropped, let pattern = pattern(of: property.type) else { return }
        let table = pattern.table
        source.line()
        source.line("private static let \(patternName(property)) = TextPattern(")
        source.indented { source in
            source.line("\(SwiftLiteral.string(pattern.source)),")
            source.array("columns: [", [table.columns], "],")
            source.line("start: \(table.start), firstAccepting: \(table.firstAccepting),")
            let width = table.columns.count + 1
            let rows = stride(from: 0, to: table.next.count, by: width).map { Array(table.next[$0..<$0 + width]) }
            source.array("next: [", rows, "])")
        }
    }

    private static func pattern(of type: ValueType) -> (source: String, table: StateTable)? {
        switch type {
        case .string(let rule): rule.redaction == .none ? rule.pattern : nil
        case .array(let rule): pattern(of: rule.element)
        default: nil
        }
    }

    private static func call(_ function: String, _ arguments: [String], _ source: inout SourceText) {
        source.call("try EventLimits.\(function)", arguments)
    }
}
