internal import CommandSupport
internal import Foundation

/// Writes lines to standard output or a new file, 64 KiB at a time.
struct LineOutput {
    private static let bufferSize = 64 << 10

    private let handle: FileHandle
    private let name: String
    private var buffer = Data()

    /// Standard output.
    init() {
        handle = .standardOutput
        name = "standard output"
    }

    /// A file that is made, or emptied.
    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CommandFailure(.io, "\(path) cannot be made: check that its folder is there and yours to write") }
        self.handle = handle
        name = path
    }

    mutating func write(_ line: [UInt8]) throws {
        buffer.append(contentsOf: line)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.bufferSize { try flush() }
    }

    mutating func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        do {
            try handle.write(contentsOf: buffer)
        } catch {
            let code = POSIXErrorCode(error)
            if code == .EPIPE { throw ClosedPipe() }
            let reason = code == .ENOSPC ? "no space is left: free some and try again" : error.localizedDescription
            throw CommandFailure(.io, "\(name) cannot be written: \(reason)")
        }
    }

    /// Puts a file on the disk.
    func synchronize() throws { try handle.synchronize() }
}

/// Standard output was closed by its reader.
struct ClosedPipe: Error {}

extension POSIXErrorCode {
    /// The code of an error of Foundation's, which may stand one level down.
    fileprivate init?(_ error: any Error) {
        let error = error as NSError
        let posix = error.domain == NSPOSIXErrorDomain ? error : error.userInfo[NSUnderlyingErrorKey] as? NSError
        guard let posix, posix.domain == NSPOSIXErrorDomain else { return nil }
        self.init(rawValue: Int32(posix.code))
    }
}
