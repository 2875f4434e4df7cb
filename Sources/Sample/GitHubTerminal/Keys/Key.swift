/// What a person presses.
package enum Key: Equatable, Sendable {
    /// A character that is typed.
    case text(Character)
    case enter, escape, tab
    case backspace
    /// Ctrl-U, which empties a line.
    case clear
    /// Ctrl-C, which ends a program.
    case interrupt
    /// Ctrl-Z, which gives the terminal back to the shell.
    case suspend
    case up, down, pageUp, pageDown, home, end
}
