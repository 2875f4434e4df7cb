extension JSONWriter {
    /// The keys to the value that would be written next: after a failed write they name the property that failed.
    ///
    /// Complexity: O(bytes written so far), and allocates; writing itself keeps no path.
    var openPath: [NamedKey] {
        guard !overflowed else { return [] }
        return withUnsafeBytes { bytes in
            var scanner = OpenPathScanner()
            for byte in bytes { scanner.read(byte) }
            return scanner.path(isAfterValue: needsComma)
        }
    }
}

/// Follows JSON that ends in the middle of a value.
private struct OpenPathScanner {
    private enum Container {
        /// The name of the member that was begun last, as it is written; nil before the first, and after a comma.
        case object(name: [UInt8]?)
        case array(index: Int)
    }

    private var containers: [Container] = []
    /// The string that is being read, without its quotes.
    private var string: [UInt8] = []
    private var isInString = false
    private var isEscaped = false

    mutating func read(_ byte: UInt8) {
        guard !isInString else { return readInString(byte) }
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            string = []
        case UInt8(ascii: "{"): containers.append(.object(name: nil))
        case UInt8(ascii: "["): containers.append(.array(index: 0))
        case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
        case UInt8(ascii: ":"): if case .object = containers.popLast() { containers.append(.object(name: string)) }
        case UInt8(ascii: ","):
            switch containers.popLast() {
            case .object: containers.append(.object(name: nil))
            case .array(let index): containers.append(.array(index: index + 1))
            case nil: break
            }
        default: break
        }
    }

    private mutating func readInString(_ byte: UInt8) {
        if !isEscaped, byte == UInt8(ascii: "\"") {
            isInString = false
        } else {
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            string.append(byte)
        }
    }

    /// - Parameter isAfterValue: Whether the innermost container has just got a value.
    func path(isAfterValue: Bool) -> [NamedKey] {
        var path: [NamedKey] = []
        for (location, container) in containers.enumerated() {
            let isComplete = isAfterValue && location == containers.count - 1
            switch container {
            case .object(let name?) where !isComplete: path.append(NamedKey(Self.text(name)))
            case .object: break
            case .array(let index): path.append(NamedKey(index: isComplete ? index + 1 : index))
            }
        }
        return path
    }

    private static func text(_ name: [UInt8]) -> String {
        let quoted = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
        // An error leaves the escapes as they are, which still names the member.
        return (try? JSONParser.parse(quoted))?.stringValue ?? String(decoding: name, as: UTF8.self)
    }
}
