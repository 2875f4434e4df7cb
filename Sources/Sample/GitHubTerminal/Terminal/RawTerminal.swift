internal import Foundation
internal import LogFiles
package import Primitives

/// The terminal of standard input and output. While it is taken over, it shows only the app. Not thread-safe.
package struct RawTerminal {
    private static let output = "the terminal"
    /// Switches to the alternate screen, so that the previous content is restored later.
    private static let enter = "\u{1B}[?1049h"
    private static let leave = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// The original settings.
    private let original: termios

    /// Reads the terminal's settings without changing them.
    ///
    /// - Throws: ``TerminalError``, `notATerminal`, if standard input or output is not a terminal.
    package init() throws {
        var settings = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw TerminalError(
                .notATerminal,
                """
                standard input and output must be a terminal; run this without a pipe, or \
                use `github-client --out DIR`, which needs no terminal
                """)
        }
        original = settings
    }

    /// Delivers each key when it is pressed, without echo, including Ctrl-C and Ctrl-Z: as signals they would overtake
    /// earlier keys. Repeated calls have no effect.
    ///
    /// - Throws: ``TerminalError``, `cannotSetUp`; `LogFileError`, `cannotWrite`.
    func takeOver() throws {
        var settings = original
        cfmakeraw(&settings)
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else {
            throw TerminalError(
                .cannotSetUp,
                "cannot configure the terminal: \(String(cString: strerror(errno))); use another terminal")
        }
        try write(Self.enter)
    }

    func giveBack() {
        // A closed terminal needs no reset.
        try? write(Self.leave)
        var settings = original
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// The size of the terminal; 80 columns and 24 lines if unknown.
    var size: ScreenSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return ScreenSize(rows: 24, columns: 80)
        }
        return ScreenSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }

    /// Replaces the screen.
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

package struct TerminalError: LayerError {
    /// The kinds of error.
    package enum Code: Sendable {
        /// Standard input or output is not a terminal.
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

    package var category: ErrorCategory {
        switch code {
        case .notATerminal: .usage
        case .cannotSetUp: .inputOutput
        }
    }
}
