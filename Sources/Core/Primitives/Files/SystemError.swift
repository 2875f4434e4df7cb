#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A system call that failed.
package struct SystemError: Error, CustomStringConvertible {
    package let call: String
    package let code: CInt
    package let path: String

    /// The error of the call that has just failed.
    package init(_ call: String, path: String) { self.init(call, code: errno, path: path) }

    package init(_ call: String, code: CInt, path: String) {
        self.call = call
        self.code = code
        self.path = path
    }

    package var description: String { "\(path): \(call): \(String(cString: strerror(code)))" }
}
