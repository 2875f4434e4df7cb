import Foundation
// tracking: begin
import Tracking
// tracking: end

/// A command-line program: prints how many words the files have that it is called with.
///
/// It starts tracking, sends one event, and delivers it before it ends: four lines. Without `flush()` nothing would be lost
/// either: the next run would deliver the event.
@main
struct WordCount {
    // tracking: begin
    var tracker = Tracker.start()
    // tracking: end

    static func main() async { await WordCount().run(CommandLine.arguments.dropFirst()) }

    /// Counts the words of files; those that can't be read are left out.
    func run(_ paths: some Sequence<String>) async {
        let texts = paths.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
        let words = texts.reduce(0) { $0 + $1.split(whereSeparator: \.isWhitespace).count }
        print(words)
        // tracking: begin
        tracker.send(.wordsCounted(files: texts.count, words: words))
        await tracker.flush()
        // tracking: end
    }
}
