/// A tape and its text, as pointers. Whoever makes one keeps both alive.
// Sendable without a lock: what it points to is never written while one exists.
package struct TapeView: BitwiseCopyable, @unchecked Sendable {
    let nodes: UnsafePointer<TapeNode>
    let text: UnsafePointer<UInt8>

    package init(nodes: UnsafePointer<TapeNode>, text: UnsafePointer<UInt8>) {
        self.nodes = nodes
        self.text = text
    }

    @inline(__always)
    subscript(index: Int) -> TapeNode { nodes[index] }

    /// The bytes of a value as they are written: of strings without quotes, escapes not resolved.
    @inline(__always)
    func bytes(_ node: TapeNode) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text + Int(node.start), count: Int(node.length))
    }

    /// Calls `body` with the bytes that a string stands for.
    @inline(__always)
    package func withString<Result>(
        _ node: TapeNode, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        guard node.flag else { return try body(bytes(node)) }
        return try Unescape.withBytes(bytes(node), body)
    }
}
