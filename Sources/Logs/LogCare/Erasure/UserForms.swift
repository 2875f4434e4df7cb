internal import Foundation
internal import JSONLines

/// The ways in which a user's id may stand in a file, as bytes.
struct UserForms: Sendable {
    /// Each form once.
    let patterns: [[UInt8]]
    /// The id as it is, in UTF-8.
    let plain: [UInt8]
    /// Whether a form counts only where no letter or digit touches it: a short id is a part of many words.
    let needsBoundaries: Bool

    /// Ids of fewer bytes need boundaries.
    private static let shortest = 8

    init(_ id: String) {
        plain = Array(id.utf8)
        needsBoundaries = plain.count < Self.shortest
        var forms: [[UInt8]] = []
        for text in [id, id.lowercased(), id.uppercased()] {
            forms += [Array(text.utf8), Self.written(text)]
            forms.append(Array(String(decoding: Self.written(text), as: UTF8.self).replacing("/", with: "\\/").utf8))
            for isUpper in [false, true] {
                forms.append(Self.escaped(text, isUpper: isUpper) { $0 > 0x7E })
                forms.append(Self.escaped(text, isUpper: isUpper) { _ in true })
            }
        }
        var seen: Set<[UInt8]> = []
        patterns = forms.filter { seen.insert($0).inserted }
    }

    /// As this package writes a string, without the quotes.
    private static func written(_ text: String) -> [UInt8] {
        var json = JSONWriter()
        json.string(text)
        return Array(json.bytes.dropFirst().dropLast())
    }

    /// With `\u` escapes for the UTF-16 units that `isEscaped` picks.
    private static func escaped(_ text: String, isUpper: Bool, _ isEscaped: (UInt16) -> Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let units = Array(String(scalar).utf16)
            guard units.contains(where: isEscaped) else {
                bytes += written(String(scalar))
                continue
            }
            for unit in units {
                let digits = String(unit, radix: 16, uppercase: isUpper)
                bytes += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            }
        }
        return bytes
    }

    /// Whether a text holds the id, under the rule of boundaries.
    func isIn(_ text: some Sequence<UInt8>) -> Bool {
        Array(text).withUnsafeBytes { ByteSearch.contains(plain, in: $0, needsBoundaries: needsBoundaries) }
    }
}
