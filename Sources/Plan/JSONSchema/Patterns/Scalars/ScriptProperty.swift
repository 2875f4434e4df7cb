/// The code points of each script, by its long or short name.
enum ScriptProperty {
    /// The names of a property that is no script and yet is listed among them.
    static let pictographs = (long: "Extended_Pictographic", short: "ExtPict")

    /// The code points of a script, or nil if there is no such script.
    ///
    /// With `extensions`, those that the script is used with.
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

    /// A number to base 36.
    private static func number(_ digits: Substring.UTF8View) -> UInt32 {
        digits.reduce(0) { value, byte in
            let digit = byte >= UInt8(ascii: "a") ? byte - UInt8(ascii: "a") + 10 : byte - UInt8(ascii: "0")
            return value * 36 + UInt32(digit)
        }
    }
}
