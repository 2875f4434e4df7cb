extension String {
    /// How many bytes of a name in a line are shown at most: a line may hold one of 32 KiB.
    private static let longestShown = 256

    /// The text itself, or its start with an ellipsis.
    var shortened: String {
        guard utf8.count > Self.longestShown else { return self }
        return String(decoding: utf8.prefix(Self.longestShown), as: UTF8.self)
            .trimmingSuffix { $0 == "\u{FFFD}" } + "…"
    }

    private func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !isDropped($0) }) else { return "" }
        return self[...last]
    }
}
