/// The result of a scaffolding command: files, and the next steps for the user.
package struct Scaffold: Sendable {
    /// The files, in the order in which messages list them.
    package internal(set) var files: [ScaffoldFile] = []
    /// The next steps in order, as sentences and commands.
    package internal(set) var steps: [String] = []

    init() {}
}
