/// Values as Swift literals.
enum SwiftLiteral {
    static func string(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default:
                // Control and format characters, and characters that would combine with the quote before them.
                if scalar.properties.isWhitespace && scalar != " " || scalar.properties.generalCategory == .control
                    || scalar.properties.generalCategory == .format || scalar.properties.isGraphemeExtend
                {
                    literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                } else {
                    literal.unicodeScalars.append(scalar)
                }
            }
        }
        return literal + "\""
    }

    /// Returns an integer literal, in groups of three digits from seven digits on.
    static func integer(_ value: Int) -> String {
        let digits = String(value.magnitude)
        return (value < 0 ? "-" : "") + (digits.count < 7 ? digits : grouped(digits, "_"))
    }

    /// Returns an integer literal that also compiles where `Int` has 32 bits.
    static func wideInteger(_ value: Int) -> String {
        Int32(exactly: value) == nil ? "\(integer(value)) as Int64" : integer(value)
    }

    /// Returns an integer for people: `32,768`.
    static func readable(_ value: Int) -> String {
        (value < 0 ? "−" : "") + grouped(String(value.magnitude), ",")
    }

    /// Returns a range of integers. Without an upper limit it ends at the greatest integer.
    static func range(_ range: ClosedRange<Int>) -> String {
        let upper = range.upperBound == .max ? "Int.max" : integer(range.upperBound)
        return "\(integer(range.lowerBound))...\(upper)"
    }

    /// Returns a number as JSON writes it.
    static func number(_ text: String) -> String {
        let integer = text.prefix { $0 == "-" || $0.isNumber }
        let digits = integer.filter(\.isNumber)
        guard digits.count >= 7 else { return text }
        return (integer.hasPrefix("-") ? "-" : "") + grouped(String(digits), "_") + text.dropFirst(integer.count)
    }

    private static func grouped(_ digits: String, _ separator: String) -> String {
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped += separator }
            grouped.append(digit)
        }
        return grouped
    }
}
