internal import JSONLines

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A thread's memory for encoding event values, reused for each event that the thread sends.
///
/// An event that is sent while another one is being encoded gets separate memory.
struct EncodingScratch {
    private struct Content: ~Copyable {
        var json: JSONWriter
        var isTaken: Bool
    }

    /// The largest memory in bytes that a thread keeps: enough for the values of nearly all events.
    private static let keptCapacity = 4096

    private let content: UnsafeMutablePointer<Content>
    private let isKept: Bool

    /// Returns the thread's memory, or allocates some. Give it back on the same thread.
    static func take() -> EncodingScratch {
        guard let key else { return EncodingScratch(isKept: false) }
        if let kept = pthread_getspecific(key) {
            let content = kept.assumingMemoryBound(to: Content.self)
            guard !content.pointee.isTaken else { return EncodingScratch(isKept: false) }
            content.pointee.isTaken = true
            return EncodingScratch(content: content, isKept: true)
        }
        let made = EncodingScratch(isKept: true)
        guard pthread_setspecific(key, made.content) == 0 else {
            return EncodingScratch(content: made.content, isKept: false)
        }
        return made
    }

    private init(content: UnsafeMutablePointer<Content>, isKept: Bool) {
        self.content = content
        self.isKept = isKept
    }

    private init(isKept: Bool) {
        content = .allocate(capacity: 1)
        content.initialize(to: Content(json: JSONWriter(), isTaken: true))
        self.isKept = isKept
    }

    /// Writes with the writer, which is empty at first.
    @inline(__always)
    func write(_ body: (inout JSONWriter) throws -> Void) rethrows { try body(&content.pointee.json) }

    /// Reads the bytes that were written.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        content.pointee.json.withUnsafeBytes(body)
    }

    /// Whether the bytes are a JSON object, which the container's schema requires of an event's value.
    @inline(__always)
    var isObject: Bool { withBytes { $0.first == UInt8(ascii: "{") } }

    /// Describes an error that was thrown while writing, with the path of the member that was being written.
    func failure(_ error: any Error) -> EncodingFailure { EncodingFailure(error, in: content.pointee.json) }

    func giveBack() {
        guard isKept else { return Self.free(content) }
        if content.pointee.json.count > Self.keptCapacity {
            content.pointee.json = JSONWriter()
        } else {
            content.pointee.json.removeAll()
        }
        content.pointee.isTaken = false
    }

    private static func free(_ memory: UnsafeMutableRawPointer) {
        let content = memory.assumingMemoryBound(to: Content.self)
        content.deinitialize(count: 1)
        content.deallocate()
    }

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        #if canImport(Darwin)
            let status = pthread_key_create(&key) { EncodingScratch.free($0) }
        #else
            let status = pthread_key_create(&key) { memory in if let memory { EncodingScratch.free(memory) } }
        #endif
        return status == 0 ? key : nil
    }()
}
