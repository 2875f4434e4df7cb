/// A Swift file as it was read, and what a look at its bytes says.
struct SourceFile: Sendable {
    /// The path as messages name it.
    let path: String
    /// The path from the input folder on, or the file's name: the same wherever the generator runs.
    let name: String
    let bytes: [UInt8]
    /// Whether the mark stands somewhere in it.
    let isMarked: Bool
    /// The names of the protocols that it seems to declare.
    let protocolNames: [String]

    init(path: String, name: String, bytes: [UInt8]) {
        self.path = path
        self.name = name
        self.bytes = bytes
        isMarked = bytes.firstRange(of: Array(Mark.text.utf8)) != nil
        protocolNames = Self.protocolNames(in: bytes)
    }

    /// The words after each `protocol ` that no comment begins before on its line.
    private static func protocolNames(in bytes: [UInt8]) -> [String] {
        let keyword = Array("protocol ".utf8)
        var names: [String] = []
        var rest = bytes[...]
        while let found = rest.firstRange(of: keyword) {
            let line = bytes[..<found.lowerBound].reversed().prefix { $0 != UInt8(ascii: "\n") }
            let name = bytes[found.upperBound...].prefix { $0.isIdentifier }
            if !name.isEmpty, !line.contains(UInt8(ascii: "/")) { names.append(String(decoding: name, as: UTF8.self)) }
            rest = bytes[found.upperBound...]
        }
        return names
    }
}

extension UInt8 {
    /// Whether it can be part of a name; of other alphabets, every byte can.
    var isIdentifier: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}

extension [UInt8] {
    /// Where bytes stand first.
    func firstRange(of needle: [UInt8]) -> Range<Int>? { self[...].firstRange(of: needle) }
}

extension ArraySlice<UInt8> {
    /// Where bytes, at least one, stand first.
    func firstRange(of needle: [UInt8]) -> Range<Int>? {
        withUnsafeBufferPointer { bytes in
            needle.withUnsafeBufferPointer { needle in
                var start = 0
                while start + needle.count <= bytes.count {
                    if bytes[start] == needle[0], bytes[start...].starts(with: needle) {
                        return startIndex + start..<startIndex + start + needle.count
                    }
                    start += 1
                }
                return nil
            }
        }
    }
}
