import Primitives

/// Collects lines as text.
final class LineList: Sendable {
    private let content = Locked<[String]>([])
    var lines: [String] { content.withLock { $0 } }
    func add(_ line: [UInt8]) { content.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
}
