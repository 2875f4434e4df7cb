internal import EventModel

/// A reading position: the highest number read of each install. It applies to any copy of the events: the database,
/// or files exported, rotated, compressed or merged from it.
///
/// Format: `INSTALL=SEQ`, comma-separated. Characters of an install other than letters, digits, `-`, `_` and `.` are
/// written as `%XX`.
package struct EventCursor: Sendable, CustomStringConvertible {
    private var highest: [[UInt8]: Int64] = [:]
    /// The install of the last event, with its number. Nearly every event has the install of its predecessor.
    private var last: (install: [UInt8], seq: Int64)?

    /// Creates a cursor before the first event.
    package init() {}

    /// Parses a cursor; nil if the text is invalid.
    package init?(_ text: String) {
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = entry.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let install = Self.unescaped(parts[0]), !install.isEmpty,
                let seq = Int64(parts[1]), 0...EventRecord.highestSeq ~= seq, highest[install] == nil
            else { return nil }
            highest[install] = seq
        }
    }

    /// Whether nothing was read.
    package var isEmpty: Bool { highest.isEmpty && last == nil }

    /// The highest number read of an install; 0 if none.
    package func highestSeq(of install: String) -> Int64 { highestSeq(of: Array(install.utf8)) }

    private func highestSeq(of install: some Collection<UInt8>) -> Int64 {
        if let last, last.install.elementsEqual(install) { return last.seq }
        return highest[Array(install)] ?? 0
    }

    /// Whether an event comes after the cursor. False without install or number; ``EventSelection`` rejects such
    /// lines.
    func isBefore(_ line: EventLine) -> Bool {
        guard let seq = line.seq else { return false }
        return JSONText.withBytes(line.raw(line.installID)) { seq > highestSeq(of: $0) } ?? false
    }

    /// Advances to an event. Ignores events with an invalid install or number.
    package mutating func advance(to line: EventLine) {
        guard let seq = line.seq, 0...EventRecord.highestSeq ~= seq else { return }
        _ = JSONText.withBytes(line.raw(line.installID)) { if !$0.isEmpty { advance(to: seq, of: $0) } }
    }

    /// Advances to an event of a database.
    package mutating func advance(to seq: Int64, of install: String) {
        var install = install
        install.withUTF8 { advance(to: seq, of: UnsafeRawBufferPointer($0)) }
    }

    private mutating func advance(to seq: Int64, of install: UnsafeRawBufferPointer) {
        guard let last, last.install.elementsEqual(install) else {
            keepLast()
            last = (Array(install), max(seq, highestSeq(of: install)))
            return
        }
        if seq > last.seq { self.last?.seq = seq }
    }

    private mutating func keepLast() {
        if let last { highest[last.install] = last.seq }
        last = nil
    }

    package var description: String {
        var kept = self
        kept.keepLast()
        return kept.highest.map { (Self.escaped($0.key), $0.value) }.sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\($0.1)" }.joined(separator: ",")
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                String(Unicode.Scalar(byte))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    private static func unescaped(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
