extension String {
    /// The text in at most so many columns; `…` stands for what was cut off. Printable text: see ``printable``.
    package func cut(to columns: Int) -> String {
        guard DisplayWidth.of(self) > columns else { return self }
        return columns < 1 ? "" : DisplayWidth.prefix(self, columns: columns - 1) + "…"
    }

    /// The text in exactly so many columns: cut, or filled with spaces.
    package func fitted(to columns: Int) -> String {
        let text = cut(to: columns)
        return text + String(repeating: " ", count: max(columns - DisplayWidth.of(text), 0))
    }
}
