internal import TextRendering

extension HTMLText {
    /// JSON with a colour for each kind of token.
    static func highlighted(_ printer: JSONPrinter) -> String {
        printer.tokens.map { token in
            let text = escape(token.text)
            return switch token.kind {
            case .name: "<b>\(text)</b>"
            case .string: "<i class=\"s\">\(text)</i>"
            case .number: "<i class=\"n\">\(text)</i>"
            case .literal: "<i class=\"l\">\(text)</i>"
            case .mark: text
            }
        }.joined()
    }
}
