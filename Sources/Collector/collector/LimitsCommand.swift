import ArgumentParser
import CollectorServer
import JSONLines

/// `collector limits`.
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits", abstract: "Print what a client may send, and what happens beyond it.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() {
        guard !json else {
            var writer = JSONWriter()
            writer.beginArray()
            for limit in Limit.all {
                writer.beginObject()
                for (name, text) in [
                    ("subject", limit.subject), ("limit", limit.value), ("exceeded", limit.consequence),
                ] {
                    writer.key(name)
                    writer.string(text)
                }
                writer.endObject()
            }
            writer.endArray()
            print(String(decoding: writer.bytes, as: UTF8.self))
            return
        }
        func plain(_ text: String) -> String { text.filter { $0 != "`" && $0 != "*" } }
        for limit in Limit.all {
            print("\(plain(limit.subject)):\n  \(plain(limit.value))\n  beyond: \(plain(limit.consequence))")
        }
    }
}
