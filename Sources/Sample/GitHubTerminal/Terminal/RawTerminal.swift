internal import Foundation
internal import LogFiles
package import Primitives

/// The terminal of standard input and output, which shows nothing but the app while it is taken over. For one thread at a
/// time.
package struct RawTerminal {
    private static let output = "the terminal"
    /// Goes to the alternate screen, so that what was there before comes back.
    private static let enter = "\u{1B}[?1049h"
    private static let leave = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// How it was before.
    private let original: termios

    /// Looks at the terminal, and changes nothing.
    ///
    /// - Throws: ``TerminalError``, `notATerminal`, if standard input or output is none.
    package init() throws {
        var settings = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw TerminalError(
                .notATerminal,
                """
                standard input and output must be a terminal: run this in one, without a pipe; \
                `github-client --out DIR` needs none
                """)
        }
        original = settings
    }

    /// Gets each key as it is pressed, without an echo, Ctrl-C and Ctrl-Z among them: as signals they would overtake the keys
    /// before them. Doing it again does nothing.
    ///
    /// - Throws: ``TerminalError``, `cannotSetUp`; `LogFileError`, `cannotWrite`.
    func takeOver() throws {
        var settings = original
        cfmakeraw(&settings)
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else {
            throw TerminalError(.cannotSetUp, "the terminal cannot be set up: \(String(cString: strerror(errno)))")
        }
        try write(Self.enter)
    }

    /// Makes everything as it was before.
    func giveBack() {
        // A terminal that is gone needs nothing back.
        try? write(Self.leave)
        var settings = original
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// How large it is; 80 columns of 24 lines if it does not say.
    var size: ScreenSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return ScreenSize(rows: 24, columns: 80)
        }
        return ScreenSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }

    /// Shows a screen in the place of the one before.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func show(_ screen: Screen) throws { try write(screen.drawn) }

    private func write(_ text: String) throws {
        var text = text
        try text.withUTF8 {
            try DescriptorBytes.write(UnsafeRawBufferPointer($0), to: STDOUT_FILENO, name: Self.output)
        }
    }
}

/// Why the app cannot run in the terminal.
package struct TerminalError: LayerError {
    /// The kinds of error.
    package enum Code: Sendable {
        /// Standard input or output is no terminal.
        case notATerminal
        /// The terminal's modes cannot be set.
        case cannotSetUp
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }

    package var category: ErrorCategory {
        switch code {
        case .notATerminal: .usage
        case .cannotSetUp: .inputOutput
        }
    }
}
