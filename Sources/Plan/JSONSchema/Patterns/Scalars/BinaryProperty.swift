/// The code points with a binary property, by its long or short name.
///
/// The names are listed in ECMA-262: https://tc39.es/ecma262/#table-binary-unicode-properties
enum BinaryProperty {
    private typealias Test = @Sendable (Unicode.Scalar.Properties) -> Bool

    /// Returns the code points with a property, or nil if the property doesn't exist.
    static func set(_ name: String) -> ScalarSet? {
        if let set = listed(name) { return set }
        guard let test = tests[name] else { return nil }
        var ranges: [ClosedRange<UInt32>] = []
        for plane in assignedPlanes {
            for value in plane {
                guard let scalar = Unicode.Scalar(value), test(scalar.properties) else { continue }
                if let tail = ranges.last, tail.upperBound == value - 1 {
                    ranges[ranges.count - 1] = tail.lowerBound...value
                } else {
                    ranges.append(value...value)
                }
            }
        }
        return ScalarSet(ranges)
    }

    static func exists(_ name: String) -> Bool { tests[name] != nil || listedNames.contains(name) }

    /// The planes in which the tested properties occur. The other planes are unassigned or for private use.
    private static let assignedPlanes: [ClosedRange<UInt32>] = [0...0x3FFFF, 0xE0000...0xEFFFF]

    /// The properties that the standard library cannot test, and whose code points never change.
    private static func listed(_ name: String) -> ScalarSet? {
        switch name {
        case "Any": .all
        case "ASCII": ScalarSet([0...0x7F])
        case "Assigned": GeneralCategories.set("Cn")?.inverted
        case "Regional_Indicator", "RI": ScalarSet([0x1F1E6...0x1F1FF])
        case "Emoji_Component", "EComp":
            ScalarSet([
                0x23...0x23, 0x2A...0x2A, 0x30...0x39, 0x200D...0x200D, 0x20E3...0x20E3, 0xFE0F...0xFE0F,
                0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF, 0x1F9B0...0x1F9B3, 0xE0020...0xE007F,
            ])
        case "Noncharacter_Code_Point", "NChar":
            ScalarSet([0xFDD0...0xFDEF] + (0...16).map { $0 << 16 + 0xFFFE...$0 << 16 + 0xFFFF })
        default: nil
        }
    }

    private static let listedNames: Set<String> = [
        "Any", "ASCII", "Assigned", "Regional_Indicator", "RI", "Emoji_Component", "EComp", "Noncharacter_Code_Point",
        "NChar",
    ]

    private static let tests: [String: Test] = {
        var tests: [String: Test] = [:]
        for (words, test) in caseTests + shapeTests {
            for word in words.split(separator: " ") { tests[String(word)] = test }
        }
        return tests
    }()

    private static let caseTests: [(String, Test)] = [
        ("Alphabetic Alpha", { $0.isAlphabetic }), ("Case_Ignorable CI", { $0.isCaseIgnorable }),
        ("Cased", { $0.isCased }), ("Changes_When_Casefolded CWCF", { $0.changesWhenCaseFolded }),
        ("Changes_When_Casemapped CWCM", { $0.changesWhenCaseMapped }),
        ("Changes_When_Lowercased CWL", { $0.changesWhenLowercased }),
        ("Changes_When_NFKC_Casefolded CWKCF", { $0.changesWhenNFKCCaseFolded }),
        ("Changes_When_Titlecased CWT", { $0.changesWhenTitlecased }),
        ("Changes_When_Uppercased CWU", { $0.changesWhenUppercased }), ("ID_Continue IDC", { $0.isIDContinue }),
        ("ID_Start IDS", { $0.isIDStart }), ("XID_Continue XIDC", { $0.isXIDContinue }),
        ("XID_Start XIDS", { $0.isXIDStart }), ("Lowercase Lower", { $0.isLowercase }),
        ("Uppercase Upper", { $0.isUppercase }), ("Soft_Dotted SD", { $0.isSoftDotted }),
        ("Ideographic Ideo", { $0.isIdeographic }), ("Unified_Ideograph UIdeo", { $0.isUnifiedIdeograph }),
    ]

    private static let shapeTests: [(String, Test)] = [
        ("ASCII_Hex_Digit AHex", { $0.isASCIIHexDigit }), ("Bidi_Control Bidi_C", { $0.isBidiControl }),
        ("Bidi_Mirrored Bidi_M", { $0.isBidiMirrored }), ("Dash", { $0.isDash }),
        ("Default_Ignorable_Code_Point DI", { $0.isDefaultIgnorableCodePoint }),
        ("Deprecated Dep", { $0.isDeprecated }), ("Diacritic Dia", { $0.isDiacritic }), ("Emoji", { $0.isEmoji }),
        ("Emoji_Modifier EMod", { $0.isEmojiModifier }), ("Emoji_Modifier_Base EBase", { $0.isEmojiModifierBase }),
        ("Emoji_Presentation EPres", { $0.isEmojiPresentation }), ("Extender Ext", { $0.isExtender }),
        ("Grapheme_Base Gr_Base", { $0.isGraphemeBase }), ("Grapheme_Extend Gr_Ext", { $0.isGraphemeExtend }),
        ("Hex_Digit Hex", { $0.isHexDigit }), ("IDS_Binary_Operator IDSB", { $0.isIDSBinaryOperator }),
        ("IDS_Trinary_Operator IDST", { $0.isIDSTrinaryOperator }), ("Join_Control Join_C", { $0.isJoinControl }),
        ("Logical_Order_Exception LOE", { $0.isLogicalOrderException }), ("Math", { $0.isMath }),
        ("Pattern_Syntax Pat_Syn", { $0.isPatternSyntax }),
        ("Pattern_White_Space Pat_WS", { $0.isPatternWhitespace }), ("Quotation_Mark QMark", { $0.isQuotationMark }),
        ("Radical", { $0.isRadical }), ("Sentence_Terminal STerm", { $0.isSentenceTerminal }),
        ("Terminal_Punctuation Term", { $0.isTerminalPunctuation }),
        ("Variation_Selector VS", { $0.isVariationSelector }), ("White_Space space", { $0.isWhitespace }),
    ]
}
