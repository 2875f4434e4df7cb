extension JSONSpan {
    /// A string like `GitHubClient 1.0`, cut at its last space: name and version, escapes as they are written.
    var product: (name: UnsafeBufferPointer<UInt8>, version: UnsafeBufferPointer<UInt8>?) {
        // No escape holds a space, so what stands on either side of one is a string.
        guard let space = content.lastIndex(of: UInt8(ascii: " ")) else { return (content, nil) }
        return (
            UnsafeBufferPointer(rebasing: content[..<space]), UnsafeBufferPointer(rebasing: content[(space + 1)...])
        )
    }
}
