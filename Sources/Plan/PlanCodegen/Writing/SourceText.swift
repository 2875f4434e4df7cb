/// Swift code as it grows, in the layout that `swift format` gives it.
struct SourceText {
    static let lineLength = 120
    private(set) var text = ""
    private var depth = 0

    /// Adds a line; an empty one is without indentation.
    mutating func line(_ line: String = "") {
        if !line.isEmpty { text += String(repeating: "    ", count: depth) + line }
        text += "\n"
    }

    /// Adds `head {`, what `body` adds, and `}`.
    mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// Adds a declaration with parameters: on one line if it fits, one a line if not.
    ///
    /// - Parameter body: What stands between braces; if nil, the one line `single` does.
    mutating func function(
        _ head: String, _ parameters: [String], _ tail: String, _ body: (inout SourceText) -> Void
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

    /// Adds one line of a call, or more if it is too long for one: an argument a line.
    mutating func call(_ head: String, _ arguments: [String], _ tail: String = "") {
        let short = "\(head)(\(arguments.joined(separator: ", ")))\(tail)"
        guard 4 * depth + short.count > Self.lineLength else { return line(short) }
        line(head + "(")
        indented { text in
            for (index, argument) in arguments.enumerated() {
                text.line(argument + (index + 1 < arguments.count ? "," : ")" + tail))
            }
        }
    }

    /// Adds a list with commas between its elements: on one line, or on as few as it fits on.
    mutating func list(_ head: String, _ elements: [String], _ tail: String) {
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

    /// Adds an array of numbers, each row on a line of its own, or more if it is too long for one.
    mutating func array(_ head: String, _ rows: [[UInt8]], _ tail: String) {
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

    /// Adds a doc comment, wrapped; nothing if there is no text.
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

    /// The compiler takes no control characters but white space.
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
