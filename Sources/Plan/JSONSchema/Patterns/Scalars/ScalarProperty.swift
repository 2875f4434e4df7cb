internal import Primitives

/// The sets of code points that `\p{…}` denotes.
enum ScalarProperty {
    /// A cache of sets, since building one tests hundreds of thousands of code points.
    private static let known = Locked<[String: ScalarSet]>([:])

    /// Returns the set of a property, or of its value, or nil if the property doesn't exist.
    ///
    /// The names are listed in ECMA-262: https://tc39.es/ecma262/#table-nonbinary-unicode-properties
    static func set(_ name: String, value: String?) -> ScalarSet? {
        let key = value.map { "\(name)=\($0)" } ?? name
        if let set = known.withLock({ $0[key] }) { return set }
        guard let set = find(name, value: value) else { return nil }
        known.withLock { $0[key] = set }
        return set
    }

    /// Returns whether a property exists, which is faster than building its set.
    static func exists(_ name: String, value: String?) -> Bool {
        guard let value else {
            return isPictographs(name) || GeneralCategories.exists(name) || BinaryProperty.exists(name)
        }
        switch name {
        case "General_Category", "gc": return GeneralCategories.exists(value)
        case "Script", "sc", "Script_Extensions", "scx": return !isPictographs(value) && ScriptProperty.exists(value)
        default: return false
        }
    }

    private static func isPictographs(_ name: String) -> Bool {
        name == ScriptProperty.pictographs.long || name == ScriptProperty.pictographs.short
    }

    private static func find(_ name: String, value: String?) -> ScalarSet? {
        guard let value else {
            if isPictographs(name) { return ScriptProperty.set(name, extensions: false) }
            return GeneralCategories.set(name) ?? BinaryProperty.set(name)
        }
        switch name {
        case "General_Category", "gc": return GeneralCategories.set(value)
        case "Script", "sc": return script(value, extensions: false)
        case "Script_Extensions", "scx": return script(value, extensions: true)
        default: return nil
        }
    }

    private static func script(_ name: String, extensions: Bool) -> ScalarSet? {
        isPictographs(name) ? nil : ScriptProperty.set(name, extensions: extensions)
    }
}

/// The code points of each script, by its long or short name.
enum ScriptProperty {
    /// The names of a property that is listed among the scripts, but is not a script.
    static let pictographs = (long: "Extended_Pictographic", short: "ExtPict")

    /// Returns the code points of a script, or nil if the script doesn't exist.
    ///
    /// With `extensions`, returns the code points that are used with the script.
    static func set(_ name: String, extensions: Bool) -> ScalarSet? {
        for record in ScriptRanges.records.utf8.split(separator: UInt8(ascii: ";")) {
            let fields = record.split(separator: UInt8(ascii: " "))
            let names = fields[0].split(separator: UInt8(ascii: "|"))
            guard names.contains(where: { $0.elementsEqual(name.utf8) }) else { continue }
            return ScalarSet(ranges(extensions ? fields[fields.count - 1] : fields[1]))
        }
        return nil
    }

    static func exists(_ name: String) -> Bool { names.contains(name) }

    private static let names = Set(
        ScriptRanges.records.split(separator: ";").flatMap { record in
            record.prefix { $0 != " " }.split(separator: "|").map(String.init)
        })

    private static func ranges(_ field: Substring.UTF8View) -> [ClosedRange<UInt32>] {
        var ranges: [ClosedRange<UInt32>] = []
        var end: UInt32 = 0
        for part in field.split(separator: UInt8(ascii: ",")) {
            let numbers = part.split(separator: UInt8(ascii: "-")).map(number)
            let start = end + numbers[0]
            end = start + (numbers.count > 1 ? numbers[1] : 0)
            ranges.append(start...end)
        }
        return ranges
    }

    /// Parses a number in base 36.
    private static func number(_ digits: Substring.UTF8View) -> UInt32 {
        digits.reduce(0) { value, byte in
            let digit = byte >= UInt8(ascii: "a") ? byte - UInt8(ascii: "a") + 10 : byte - UInt8(ascii: "0")
            return value * 36 + UInt32(digit)
        }
    }
}
