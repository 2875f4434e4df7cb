/// What a command makes: files, and what a person does next.
package struct Scaffold: Sendable {
    /// In the order in which they are told.
    package internal(set) var files: [ScaffoldFile] = []
    /// What is to be done next, in sentences and commands, in this order.
    package internal(set) var steps: [String] = []

    init() {}
}
