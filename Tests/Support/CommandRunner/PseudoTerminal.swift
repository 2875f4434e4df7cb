internal import Foundation

/// A terminal without a screen: ``master`` reads what a program writes to ``slave``.
package struct PseudoTerminal: Sendable {
    /// The system failed to create a terminal.
    package struct NotMade: Error, CustomStringConvertible {
        /// The failed operation, and the system's reason.
        package let description: String

        init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
    }

    /// The user's end.
    package let master: Int32
    /// The program's end.
    package let slave: Int32

    /// Opens a terminal. The caller must close both descriptors; programs inherit them only on request.
    package init(rows: Int, columns: Int) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw NotMade("cannot open a pseudo-terminal") }
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

    /// The path with which a program opens ``slave``.
    package var name: String {
        get throws {
            var name = [CChar](repeating: 0, count: 128)
            guard ttyname_r(slave, &name, name.count) == 0 else { throw NotMade("cannot get the terminal's name") }
            return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Resizes a terminal, like a window.
    package static func resize(_ master: Int32, rows: Int, columns: Int) throws {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else { throw NotMade("cannot set the terminal's size") }
    }

    /// Passes bytes through unchanged, including line feeds.
    func makeRaw() throws {
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else { throw NotMade("cannot get the terminal's settings") }
        cfmakeraw(&settings)
        guard tcsetattr(slave, TCSANOW, &settings) == 0 else { throw NotMade("cannot change the terminal's settings") }
    }
}
