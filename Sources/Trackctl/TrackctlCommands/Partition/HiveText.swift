/// Values in the names of folders, as Hive writes them: `url=https%3A%2F%2Fa.b`.
///
/// Rules: <https://github.com/apache/hive/blob/master/common/src/java/org/apache/hadoop/hive/common/FileUtils.java>
enum HiveText {
    /// Stands for a value that is absent, `null` or empty.
    static let absent = "__HIVE_DEFAULT_PARTITION__"

    private static let special = Set("\"#%'*/:=?\\{[]^\u{7F}".utf8)

    /// A value as it stands in a folder's name, which it can neither end nor leave.
    static func escaped(_ value: some Collection<UInt8>) -> [UInt8] {
        guard !value.isEmpty else { return Array(absent.utf8) }
        let isOnlyDots = value.allSatisfy { $0 == UInt8(ascii: ".") }
        var escaped: [UInt8] = []
        for byte in value {
            if byte < 0x20 || special.contains(byte) || isOnlyDots {
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += "%\(byte < 0x10 ? "0" : "")\(digits)".utf8
            } else {
                escaped.append(byte)
            }
        }
        return escaped
    }
}
