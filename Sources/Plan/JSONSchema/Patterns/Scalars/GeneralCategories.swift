/// The code points of each general category, by its long or short name.
enum GeneralCategories {
    /// Returns the code points of a category or a group of categories, or nil if it doesn't exist.
    static func set(_ name: String) -> ScalarSet? {
        guard let categories = names[name] else { return nil }
        return ScalarSet(runs.filter { categories.contains($0.category) }.map(\.range))
    }

    static func exists(_ name: String) -> Bool { names[name] != nil }

    private typealias Category = Unicode.GeneralCategory

    /// All code points by category, from the standard library.
    private static let runs: [(range: ClosedRange<UInt32>, category: Category)] = {
        var runs: [(range: ClosedRange<UInt32>, category: Category)] = []
        func append(_ range: ClosedRange<UInt32>, _ category: Category) {
            if let tail = runs.last, tail.category == category {
                runs[runs.count - 1].range = tail.range.lowerBound...range.upperBound
            } else {
                runs.append((range, category))
            }
        }
        func ask(_ values: ClosedRange<UInt32>) {
            for value in values {
                // A surrogate is a code point, but not a scalar.
                append(value...value, Unicode.Scalar(value)?.properties.generalCategory ?? .surrogate)
            }
        }
        ask(0...0x3FFFF)
        append(0x40000...0xDFFFF, .unassigned)  // Planes without characters.
        ask(0xE0000...0xEFFFF)
        append(0xF0000...0xFFFFD, .privateUse)
        append(0xFFFFE...0xFFFFF, .unassigned)
        append(0x100000...0x10FFFD, .privateUse)
        append(0x10FFFE...0x10FFFF, .unassigned)
        return runs
    }()

    private static let names: [String: Set<Category>] = {
        var names: [String: Set<Category>] = [:]
        for (words, categories) in single + groups {
            for word in words.split(separator: " ") { names[String(word)] = categories }
        }
        return names
    }()

    private static let single: [(String, Set<Category>)] = [
        ("Lu Uppercase_Letter", [.uppercaseLetter]), ("Ll Lowercase_Letter", [.lowercaseLetter]),
        ("Lt Titlecase_Letter", [.titlecaseLetter]), ("Lm Modifier_Letter", [.modifierLetter]),
        ("Lo Other_Letter", [.otherLetter]), ("Mn Nonspacing_Mark", [.nonspacingMark]),
        ("Mc Spacing_Mark", [.spacingMark]), ("Me Enclosing_Mark", [.enclosingMark]),
        ("Nd Decimal_Number digit", [.decimalNumber]), ("Nl Letter_Number", [.letterNumber]),
        ("No Other_Number", [.otherNumber]), ("Pc Connector_Punctuation", [.connectorPunctuation]),
        ("Pd Dash_Punctuation", [.dashPunctuation]), ("Ps Open_Punctuation", [.openPunctuation]),
        ("Pe Close_Punctuation", [.closePunctuation]), ("Pi Initial_Punctuation", [.initialPunctuation]),
        ("Pf Final_Punctuation", [.finalPunctuation]), ("Po Other_Punctuation", [.otherPunctuation]),
        ("Sm Math_Symbol", [.mathSymbol]), ("Sc Currency_Symbol", [.currencySymbol]),
        ("Sk Modifier_Symbol", [.modifierSymbol]), ("So Other_Symbol", [.otherSymbol]),
        ("Zs Space_Separator", [.spaceSeparator]), ("Zl Line_Separator", [.lineSeparator]),
        ("Zp Paragraph_Separator", [.paragraphSeparator]), ("Cc Control cntrl", [.control]),
        ("Cf Format", [.format]), ("Cs Surrogate", [.surrogate]), ("Co Private_Use", [.privateUse]),
        ("Cn Unassigned", [.unassigned]),
    ]

    private static let groups: [(String, Set<Category>)] = [
        ("LC Cased_Letter", [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]),
        ("L Letter", [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter]),
        ("M Mark Combining_Mark", [.nonspacingMark, .spacingMark, .enclosingMark]),
        ("N Number", [.decimalNumber, .letterNumber, .otherNumber]),
        (
            "P Punctuation punct",
            [
                .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation,
            ]
        ),
        ("S Symbol", [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]),
        ("Z Separator", [.spaceSeparator, .lineSeparator, .paragraphSeparator]),
        ("C Other", [.control, .format, .surrogate, .privateUse, .unassigned]),
    ]
}
