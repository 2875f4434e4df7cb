import Foundation
// tracking: begin
import Tracking

// tracking: end

/// A command-line program that prints the number of words in the given files.
///
/// Four lines start tracking, send an event, and deliver it before the program ends. Without `flush()`, the event would
/// not be lost either: the next run would deliver it.
@main
struct WordCount {
    // tracking: begin
    var tracker = Tracker.start()
    // tracking: end

    static func main() async { await WordCount().run(CommandLine.arguments.dropFirst()) }

    /// Counts the words of files; skips unreadable files.
    func run(_ paths: some Sequence<String>) async {
        // An unreadable file is not counted.
        let texts = paths.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
        let words = texts.reduce(0) { $0 + $1.split(whereSeparator: \.isWhitespace).count }
        print(words)
        // tracking: begin
        tracker.send(.wordsCounted(files: texts.count, words: words))
        await tracker.flush()
        // tracking: end
    }
}
