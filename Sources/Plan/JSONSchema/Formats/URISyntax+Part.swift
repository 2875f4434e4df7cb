extension URISyntax {
    /// A part of a URI, which says what characters may stand in it.
    enum Part {
        case userInfo, registeredName, path, query, fragment

        /// Whether a character may stand for itself.
        @inline(__always)
        func has(_ byte: UInt8) -> Bool {
            switch byte {
            // `unreserved`
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                true
            // `sub-delims`
            case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
                UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
                UInt8(ascii: "="):
                true
            case UInt8(ascii: ":"): self != .registeredName
            case UInt8(ascii: "@"), UInt8(ascii: "/"): self == .path || self == .query || self == .fragment
            case UInt8(ascii: "?"): self == .query || self == .fragment
            default: false
            }
        }
    }
}
