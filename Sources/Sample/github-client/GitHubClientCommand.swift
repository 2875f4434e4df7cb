import ArgumentParser

/// The sample app: played by records of activity, or used by a person.
@main
struct GitHubClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "github-client",
        abstract: "A GitHub client that keeps what it tracks: without a screen, or on this terminal.",
        subcommands: [PlayCommand.self, BrowseCommand.self],
        defaultSubcommand: PlayCommand.self)
}
