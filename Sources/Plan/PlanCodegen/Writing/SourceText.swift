/// Swift source text in the layout of `swift format`.
struct SourceText {
    static let lineLength = 120
    private(set) var text = ""
    private var depth = 0

    /// Adds a line. An empty line has no indentation.
    mutating func line(_ line: String = "") {
        if !line.isEmpty { text += String(repeating: "    ", count: depth) + line }
        text += "\n"
    }

    /// Adds `head {`, the output of `body`, and `}`.
    mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// Adds a declaration with parameters: on one line if it fits, else one parameter per line.
    ///
    /// - Parameter body: The content between braces; nil to write `single` instead.
    mutating func function(
        _ head: String, parameters: [String], tail: String, _ body: (inout SourceText) -> Void
    ) {
        let short = "\(head)(\(parameters.joined(separator: ", ")))\(tail)"
        guard 4 * depth + short.count + 2 > Self.lineLength, !parameters.isEmpty else { return block(short, body) }
        line(head + "(")
        indented { text in
            for (index, parameter) in parameters.enumerated() {
                text.line(parameter + (index + 1 < parameters.count ? "," : ""))
            }
        }
        block(")" + tail, body)
    }

    mutating func indented(_ body: (inout SourceText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    /// Adds a call: on one line if it fits, else one argument per line.
    mutating func call(_ head: String, arguments: [String], tail: String = "") {
        let short = "\(head)(\(arguments.joined(separator: ", ")))\(tail)"
        guard 4 * depth + short.count > Self.lineLength else { return line(short) }
        line(head + "(")
        indented { text in
            for (index, argument) in arguments.enumerated() {
                text.line(argument + (index + 1 < arguments.count ? "," : ")" + tail))
            }
        }
    }

    /// Adds a comma-separated list, on as few lines as possible.
    mutating func list(_ head: String, elements: [String], tail: String) {
        var current = head
        for (index, element) in elements.enumerated() {
            let isLast = index + 1 == elements.count
            let written = element + (isLast ? tail : ",")
            let isFirst = current == head || current.allSatisfy { $0 == " " }
            if !isFirst, 4 * depth + current.count + 1 + written.count > Self.lineLength {
                line(current)
                current = String(repeating: " ", count: 4)
            }
            current += (current == head || current.allSatisfy { $0 == " " } ? "" : " ") + written
        }
        line(current)
    }

    /// Adds an array of numbers, at least one line for each row.
    mutating func array(_ head: String, rows: [[UInt8]], tail: String) {
        line(head)
        indented { text in
            for row in rows {
                var current = ""
                for number in row {
                    if 4 * text.depth + current.count + 5 > Self.lineLength {
                        text.line(current)
                        current = ""
                    }
                    current += current.isEmpty ? "\(number)," : " \(number),"
                }
                if !current.isEmpty { text.line(current) }
            }
        }
        line(tail)
    }

    /// Adds a wrapped doc comment; nothing if there is no text.
    mutating func documentation(_ sentences: [String]) {
        let words = sentences.map(Self.withoutControls).filter { !$0.isEmpty }.map(Self.sentence)
            .joined(separator: " ").split(whereSeparator: \.isWhitespace)
        var current = "///"
        for word in words {
            if current != "///", 4 * depth + current.count + 1 + word.count > Self.lineLength {
                line(current)
                current = "///"
            }
            current += " " + word
        }
        if current != "///" { line(current) }
    }

    /// The compiler rejects control characters other than white space.
    private static func withoutControls(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter {
            $0.properties.generalCategory != .control || $0.properties.isWhitespace
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func sentence(_ text: String) -> String {
        guard let last = text.last, !".!?:".contains(last) else { return text }
        return text + "."
    }
}
