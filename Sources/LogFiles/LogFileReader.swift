internal import Foundation
public import JSONLines

/// Reads the lines of a file, a gzip file or standard input, in flat memory.
///
/// What an input is follows from its first bytes, not from its name. Not for several threads at once.
///
/// ```swift
/// let reader = try LogFileReader(path: "events.jsonl.gz")
/// while let line = try reader.next() { … }
/// ```
public final class LogFileReader {
    /// A line with its number in the file, from 1.
    public struct NumberedLine: Equatable, Sendable {
        /// The line's number, from 1.
        public let number: Int
        /// The line.
        public let line: LineSplitter.Line
    }

    /// What a file is, by its first bytes.
    public enum Format: Sendable { case text, gzip, sqlite }

    private static let chunkSize = 64 << 10

    /// The path, or `standard input`.
    public let name: String
    private let handle: FileHandle
    private var head: Data
    private var inflater: GzipInflater?
    private var splitter = LineSplitter()
    private var lines: [LineSplitter.Line] = []
    private var given = 0
    private var number = 0
    private var isAtEnd = false
    private var failure: LogFileError?

    /// Tells what a file is.
    ///
    /// - Throws: ``LogFileError``: `notFound`, `cannotRead`.
    public static func format(of path: String) throws -> Format {
        try format(read(open(path), count: 16, name: path))
    }

    /// Opens an input.
    ///
    /// - Parameter path: A file, or `-` for standard input.
    /// - Throws: ``LogFileError``: `notFound`, `cannotRead`.
    public init(path: String) throws {
        name = path == "-" ? "standard input" : path
        handle = try path == "-" ? .standardInput : Self.open(path)
        head = try Self.read(handle, count: Self.chunkSize, name: name)
        if Self.format(head) == .gzip { inflater = GzipInflater() }
    }

    /// The next line, or nil at the end.
    ///
    /// - Throws: ``LogFileError``, after every line before the fault was given.
    public func next() throws -> NumberedLine? {
        while given == lines.count {
            lines.removeAll(keepingCapacity: true)
            given = 0
            if let failure { throw failure }
            guard !isAtEnd else { return nil }
            do {
                try readChunk()
            } catch let error as LogFileError {
                failure = error
            }
        }
        given += 1
        number += 1
        return NumberedLine(number: number, line: lines[given - 1])
    }

    private func readChunk() throws {
        let chunk = head.isEmpty ? try Self.read(handle, count: Self.chunkSize, name: name) : head
        head = Data()
        if chunk.isEmpty {
            isAtEnd = true
            if let inflater, !inflater.isComplete {
                throw LogFileError(
                    code: .damagedGzip,
                    description: "\(name) is cut short: its compressed data has no end; get a complete copy")
            }
            splitter.finish { lines.append($0) }
            return
        }
        guard let inflater else {
            splitter.feed(chunk) { lines.append($0) }
            return
        }
        let isSound = inflater.inflate(chunk) { output in splitter.feed(output) { lines.append($0) } }
        guard isSound else {
            throw LogFileError(
                code: .damagedGzip,
                description: "\(name) is damaged: its compressed data makes no sense; get a good copy")
        }
    }

    private static func format(_ head: Data) -> Format {
        if head.starts(with: [0x1F, 0x8B]) { return .gzip }
        return head.starts(with: Array("SQLite format 3\0".utf8)) ? .sqlite : .text
    }

    private static func open(_ path: String) throws -> FileHandle {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw LogFileError(code: .notFound, description: "there is no file \(path): check the path")
        }
        guard !isDirectory.boolValue else {
            throw LogFileError(code: .cannotRead, description: "\(path) is a folder: name a file in it")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw LogFileError(code: .cannotRead, description: "\(path) cannot be opened: check that you may read it")
        }
        return handle
    }

    private static func read(_ handle: FileHandle, count: Int, name: String) throws -> Data {
        do {
            return try handle.read(upToCount: count) ?? Data()
        } catch {
            throw LogFileError(
                code: .cannotRead, description: "\(name) cannot be read: \(error.localizedDescription)")
        }
    }
}
