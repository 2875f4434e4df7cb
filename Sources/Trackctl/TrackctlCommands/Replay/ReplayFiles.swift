internal import CommandSupport
internal import Foundation

/// The files that a replay reads and writes. Each of them has one part only.
struct ReplayFiles {
    /// Files, or `-` for standard input.
    let inputs: [String]
    let destination: ReplayDestination
    /// Where the place is kept.
    let state: String?
    /// Where refused events go.
    let deadLetters: String?

    /// - Throws: ``CommandFailure``, `usage`, if one of them has two parts.
    func check() throws {
        if let deadLetters, inputs.contains(where: { Self.isInput($0, deadLetters) }) {
            throw CommandFailure(
                .usage, "\(deadLetters) cannot be read and added to at once: name another file in --on-error")
        }
        guard let state else { return }
        if inputs.contains(where: { Self.isInput($0, state) }) {
            throw CommandFailure(.usage, "\(state) is one of the inputs: name another file in --resume")
        }
        if let target, FileIdentity.isSame(target, state) {
            throw CommandFailure(.usage, "\(state) is the target: name another file in --resume")
        }
        if let deadLetters, FileIdentity.isSame(deadLetters, state) {
            throw CommandFailure(.usage, "\(state) is for refused events: name another file in --resume")
        }
    }

    private var target: String? {
        switch destination {
        case .database(let path), .newLinesFile(let path): path
        case .standardOutput, .endpoint, .nothing: nil
        }
    }

    /// Whether an input comes from this file.
    private static func isInput(_ input: String, _ path: String) -> Bool {
        guard input == "-" else { return FileIdentity.isSame(input, path) }
        guard let file = FileIdentity(descriptor: STDIN_FILENO), file.isRegularFile else { return false }
        return FileIdentity(path: path) == file
    }
}
