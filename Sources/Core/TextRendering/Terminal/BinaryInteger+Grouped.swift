extension BinaryInteger {
    /// The number with commas between groups of three digits: `20,103`, on every system and in every language.
    package var grouped: String {
        var text = ""
        for (index, digit) in magnitude.description.reversed().enumerated() {
            if index > 0 && index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }
}

extension BinaryInteger {
    /// `1 event`, `1,666 events`.
    package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
