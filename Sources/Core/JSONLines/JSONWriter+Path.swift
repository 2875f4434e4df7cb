extension JSONWriter {
    /// The keys of the value that would be written next. After a failed write, they identify the property that failed.
    ///
    /// Complexity: O(bytes written so far), with allocations; writing itself does not track the path.
    var openPath: [NamedKey] {
        guard !overflowed else { return [] }
        return withUnsafeBytes { bytes in
            var scanner = OpenPathScanner()
            for byte in bytes { scanner.read(byte) }
            return scanner.path(isAfterValue: needsComma)
        }
    }
}

/// Scans JSON that ends in the middle of a value.
private struct OpenPathScanner {
    private enum Container {
        /// The name of the most recent member, as written; nil before the first, and after a comma.
        case object(name: [UInt8]?)
        case array(index: Int)
    }

    private var containers: [Container] = []
    /// The current string, without its quotes.
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

    /// - Parameter isAfterValue: Whether the innermost container's last value is complete.
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
        // If unescaping fails, the raw name still identifies the member.
        return JSONValue(validating: quoted)?.stringValue ?? String(decoding: name, as: UTF8.self)
    }
}
