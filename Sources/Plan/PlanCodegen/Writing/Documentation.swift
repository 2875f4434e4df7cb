/// Generates the sentences about limits in a property's doc comment.
enum Documentation {
    static func limits(of property: Property) -> [String] {
        var sentences = limits(of: property.type)
        if property.isDropped {
            sentences.append("Personal data: kept in memory and never written")
        } else if property.isPersonal, !property.type.isRedacted {
            sentences.append("Personal data")
        }
        return sentences
    }

    private static func limits(of type: ValueType) -> [String] {
        switch type {
        case .boolean, .object, .enumeration: return []
        case .integer(let rule):
            let whole = IntegerRule.interoperable
            let lower = rule.range.lowerBound > whole.lowerBound ? rule.range.lowerBound : nil
            let upper = rule.range.upperBound < whole.upperBound ? rule.range.upperBound : nil
            let divisor = rule.divisor == 1 ? [] : ["A multiple of \(SwiftLiteral.readable(rule.divisor))"]
            return range(lower: lower, upper: upper, unit: "") + divisor
        case .number(let rule):
            return [
                rule.minimum.map { "At least \($0)" }, rule.exclusiveMinimum.map { "Greater than \($0)" },
                rule.maximum.map { "At most \($0)" }, rule.exclusiveMaximum.map { "Less than \($0)" },
                rule.divisor.map { "A multiple of \($0), within ±(2^53−1)" },
            ].compactMap { $0 }
        case .string(let rule):
            switch rule.redaction {
            case .hash: return ["Personal data: written as SHA-256, 64 hexadecimal digits"]
            case .truncate(let count):
                let scalars = count == 1 ? "Unicode scalar" : "\(SwiftLiteral.readable(count)) Unicode scalars"
                return ["Personal data: only the first \(scalars) \(count == 1 ? "is" : "are") written"]
            case .none:
                let format =
                    switch rule.format {
                    case .uuid: ["A UUID"]
                    case .date: ["A date in the form of RFC 3339: 2018-09-12"]
                    case .dateTime: ["A time in the form of RFC 3339: 2018-09-12T11:54:07Z"]
                    case nil: [String]()
                    }
                let pattern = rule.pattern.map { ["Matches `\($0.source)`"] } ?? []
                return range(rule.length, " Unicode scalars") + format + pattern
            }
        case .array(let rule):
            let unique = rule.isUnique ? ["Elements are unique"] : []
            return range(rule.count, " elements") + unique + limits(of: rule.element).map(each)
        case .free(let count):
            return range(count, " members") + [
                "Nested up to 16 levels deep, integers within ±(2^53−1)"
            ]
        }
    }

    private static func range(_ range: ClosedRange<Int>, _ unit: String) -> [String] {
        self.range(
            lower: range.lowerBound > 0 ? range.lowerBound : nil,
            upper: range.upperBound < .max ? range.upperBound : nil, unit: unit)
    }

    private static func range(lower: Int?, upper: Int?, unit: String) -> [String] {
        switch (lower.map(SwiftLiteral.readable), upper.map(SwiftLiteral.readable)) {
        case (nil, nil): []
        case (let lower?, nil): ["At least \(lower)\(lower == "1" ? singular(unit) : unit)"]
        case (nil, let upper?): ["At most \(upper)\(upper == "1" ? singular(unit) : unit)"]
        case (let lower?, let upper?):
            lower == upper
                ? ["\(lower)\(lower == "1" ? singular(unit) : unit)"] : ["\(lower) to \(upper)\(unit)"]
        }
    }

    private static func each(_ sentence: String) -> String {
        "Each: \(sentence.prefix(1).lowercased())\(sentence.dropFirst())"
    }

    private static func singular(_ unit: String) -> String { unit.hasSuffix("s") ? String(unit.dropLast()) : unit }
}
