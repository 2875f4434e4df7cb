internal import Foundation

/// A terminal without a screen: what a program writes to ``slave`` is read from ``master``.
package struct PseudoTerminal: Sendable {
    /// The system makes none.
    package struct NotMade: Error, CustomStringConvertible {
        /// What failed, and the system's reason.
        package let description: String

        init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
    }

    /// Where a person would sit.
    package let master: Int32
    /// Where the program is.
    package let slave: Int32

    /// Opens one. Both descriptors are the caller's to close, and no program inherits them unasked.
    package init(rows: Int, columns: Int) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw NotMade("there is no pseudo-terminal left") }
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        (self.master, self.slave) = (master, slave)
        do {
            try Self.resize(master, rows: rows, columns: columns)
        } catch {
            close(master)
            close(slave)
            throw error
        }
    }

    /// The path by which a program opens ``slave``.
    package var name: String {
        get throws {
            var name = [CChar](repeating: 0, count: 128)
            guard ttyname_r(slave, &name, name.count) == 0 else { throw NotMade("the pseudo-terminal has no name") }
            return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Makes a terminal larger or smaller, as a person does with a window.
    package static func resize(_ master: Int32, rows: Int, columns: Int) throws {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else { throw NotMade("the terminal has no size") }
    }

    /// Passes bytes through as they are, line feeds too.
    func makeRaw() throws {
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else { throw NotMade("the terminal has no settings") }
        cfmakeraw(&settings)
        guard tcsetattr(slave, TCSANOW, &settings) == 0 else { throw NotMade("the terminal takes no settings") }
    }
}
