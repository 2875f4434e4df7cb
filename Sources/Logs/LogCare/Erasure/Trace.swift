internal import Foundation
internal import LogFiles

/// A place where a user's id still stands.
package struct Trace: Hashable, Sendable {
    /// The file.
    package let path: String
    /// Where the first one starts, in bytes from the file's start; in a packed file, from the start of what it holds.
    package let offset: Int64
    /// How many there are in the file.
    package let count: Int64
    /// Why the file could not be searched to its end; nil if it was.
    package let fault: String?
}

/// Searches files for a user's id, byte by byte, whatever they are.
struct TraceSearch {
    private let forms: UserForms
    private static let blockSize = 256 << 10

    init(_ forms: UserForms) { self.forms = forms }

    /// What stands in a file; nil for nothing.
    func trace(in path: String) -> Trace? {
        var search = ByteSearch(forms.patterns, needsBoundaries: forms.needsBoundaries)
        var (first, count, fault): (Int64?, Int64, String?) = (nil, 0, nil)
        func found(_ offset: Int64) {
            first = min(first ?? offset, offset)
            count += 1
        }
        do {
            try read(path) { search.feed($0, found: found) }
        } catch {
            fault = (error as? LogFileError)?.message ?? "\(path) cannot be read"
        }
        search.finish(found: found)
        guard first != nil || fault != nil else { return nil }
        return Trace(path: path, offset: first ?? 0, count: count, fault: fault)
    }

    /// Shows a file's bytes; those inside gzip data unpacked.
    private func read(_ path: String, _ body: (UnsafeRawBufferPointer) -> Void) throws {
        let blocks: LogFileBlocks
        do { blocks = try LogFileBlocks(path: path) } catch let error as LogFileError where error.code == .notFound {
            return  // gone meanwhile
        }
        try withUnsafeTemporaryAllocation(byteCount: Self.blockSize, alignment: 16) { buffer in
            guard blocks.format == .sqlite else {
                while true {
                    let count = try blocks.read(into: buffer)
                    if count == 0 { return }
                    body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
            }
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            while let data = try handle.read(upToCount: buffer.count), !data.isEmpty { data.withUnsafeBytes(body) }
        }
    }
}
