internal import ArgumentParser

/// `trackctl new`: files that an app needs for something new.
struct NewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Writes what a new event, screen or route needs, tests included.",
        discussion: """
            Examples:
              trackctl new event checkout-completed --property items:integer
              trackctl new screen basket
              trackctl new route about
              trackctl new templates

            Run it in the folder of an app's package, or below. What is written builds, and its tests pass: schema, \
            type, the code that fires, the test that says when, a line of documentation. Nothing is ever overwritten: \
            all of it is written, or nothing.
            """,
        subcommands: [
            NewEventCommand.self, NewScreenCommand.self, NewRouteCommand.self, NewTemplatesCommand.self,
        ]
    )
}
