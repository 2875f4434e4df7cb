internal import CZlib
internal import Foundation

/// Unpacks a gzip stream, fed in chunks; several members one after another are one stream (RFC 1952).
final class GzipInflater {
    private static let outputSize = 256 << 10

    private var stream = z_stream()
    private var output = [UInt8](repeating: 0, count: GzipInflater.outputSize)
    private var isAtMemberEnd = false

    init() {
        // 15 bits of window, and 16 to ask for the gzip wrapper.
        inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit { inflateEnd(&stream) }

    /// Whether the stream may end here: after a whole member.
    var isComplete: Bool { isAtMemberEnd }

    /// Unpacks a chunk and passes on what comes out of it, in pieces of at most 256 KiB.
    ///
    /// - Returns: Whether the data is sound so far.
    func inflate(_ chunk: Data, _ body: (ArraySlice<UInt8>) -> Void) -> Bool {
        var input = [UInt8](chunk)
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            repeat {
                if isAtMemberEnd {
                    guard stream.avail_in > 0 else { return true }
                    inflateReset(&stream)
                    isAtMemberEnd = false
                }
                let (code, count) = output.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    let code = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (code, output.count - Int(stream.avail_out))
                }
                body(output[..<count])
                switch code {
                case Z_OK: break
                case Z_STREAM_END: isAtMemberEnd = true
                case Z_BUF_ERROR: return true  // needs more input
                default: return false
                }
            } while stream.avail_in > 0 || stream.avail_out == 0
            return true
        }
    }
}
