import ArgumentParser
import CollectorServer
import CollectorStore
import CommandSupport

/// `collector switches`.
struct SwitchesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switches", abstract: "Check a document with remote switches.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Validate a document, and print what it changes.",
            discussion: "Exits with 65 if the document is invalid, and with 1 if it has expired.")

        @Argument(help: "File that 'collector --switches' serves.")
        var file: String

        func run() throws {
            let summary = try SwitchesSummary(path: file, now: .ofSystem())
            for line in summary.lines { print(line) }
            if summary.isExpired { throw ExitCode(ExitStatus.findings.rawValue) }
        }
    }
}
