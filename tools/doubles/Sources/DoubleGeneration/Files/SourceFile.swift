internal import Dispatch
internal import Foundation

/// A Swift file, and the result of searching its bytes.
struct SourceFile: Sendable {
    /// The path in messages.
    let path: String
    /// The path relative to the input folder, or the file's name: the same wherever the generator runs.
    let name: String
    let bytes: [UInt8]
    /// How often the bytes of the mark occur, in comments or elsewhere.
    let markCount: Int
    /// The names of the protocols that the file seems to declare.
    let protocolNames: [String]

    init(path: String, name: String, bytes: [UInt8]) {
        self.path = path
        self.name = name
        self.bytes = bytes
        markCount = bytes.ranges(of: Array(Mark.text.utf8)).count
        protocolNames = Self.protocolNames(in: bytes)
    }

    /// The words after each `protocol ` that is not in a line comment.
    private static func protocolNames(in bytes: [UInt8]) -> [String] {
        bytes.ranges(of: Array("protocol ".utf8)).compactMap { found in
            let line = bytes[..<found.lowerBound].reversed().prefix { $0 != UInt8(ascii: "\n") }
            let name = bytes[found.upperBound...].prefix { $0.isIdentifier }
            guard !name.isEmpty, !line.contains(UInt8(ascii: "/")) else { return nil }
            return String(decoding: name, as: UTF8.self)
        }
    }
}

extension UInt8 {
    /// Whether the byte can be part of a name; all non-ASCII bytes can.
    var isIdentifier: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}

extension [UInt8] {
    /// The positions of a non-empty byte sequence.
    func ranges(of needle: [UInt8]) -> [Range<Int>] {
        withUnsafeBufferPointer { bytes in
            needle.withUnsafeBufferPointer { needle in
                var ranges: [Range<Int>] = []
                var start = 0
                while start + needle.count <= bytes.count {
                    if bytes[start] == needle[0], bytes[start...].starts(with: needle) {
                        ranges.append(start..<start + needle.count)
                        start += needle.count
                    } else {
                        start += 1
                    }
                }
                return ranges
            }
        }
    }
}

extension Array where Element: Sendable {
    /// Transforms all elements on all cores. The result is in order.
    func parallelMap<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
        let lock = NSLock()
        nonisolated(unsafe) var results = [Result?](repeating: nil, count: count)  // under the lock
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = transform(self[index])
            lock.withLock { results[index] = result }
        }
        return results.compactMap(\.self)
    }
}
