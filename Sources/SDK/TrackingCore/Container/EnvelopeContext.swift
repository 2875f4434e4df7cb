internal import JSONLines

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Values that all lines of an install share.
final class InstallEnvelope: Sendable {
    let installID: String
    let context: TrackingContext?
    /// The bytes of the line between id and seq.
    let afterID: [UInt8]

    init(installID: String, context: TrackingContext?) {
        self.installID = installID
        self.context = context
        afterID = ContainerLine.afterID(installID: installID)
    }
}

/// Values that a container shares with its neighbors: the install, the session and the user. All are in one allocation,
/// because a server keeps one for each user in the cache.
struct EnvelopeContext: @unchecked Sendable {  // Constant once it is made, except for ``Header/user``.
    struct Header {
        let install: InstallEnvelope
        /// The length of the line's pieces with these values, in bytes.
        let length: UInt32
        /// The bytes of the line between seq and time, which are the first in the buffer.
        let afterSeq: UInt32
        /// Where the texts of session and user start in the buffer, and their lengths.
        let session: (start: UInt32, count: UInt32)
        let userID: (start: UInt32, count: UInt32)
        /// Of a user in the cache, who has no other memory. Guarded by the dispatcher's lock.
        var user = CachedUser()
    }

    final class Buffer: ManagedBuffer<Header, UInt8> {}

    let buffer: Buffer

    @inline(__always)
    init(_ buffer: Buffer) { self.buffer = buffer }

    init(installID: String, sessionID: String, userID: String, context: TrackingContext?) {
        self.init(InstallEnvelope(installID: installID, context: context), sessionID: sessionID, userID: userID)
    }

    init(_ install: InstallEnvelope, sessionID: String, userID: String) {
        var json = JSONWriter(capacity: 128)
        ContainerLine.writeSender(sessionID: sessionID, userID: userID, to: &json)
        let afterSeq = json.count + 1
        let session = sessionID.utf8.count
        let user = userID.utf8.count
        // The texts are in the line, unless JSON has to escape a character.
        let start = afterSeq - ContainerLine.senderLength - session - user
        let isVerbatim = start == 0
        let sessionStart = isVerbatim ? ContainerLine.sessionStart : afterSeq
        let userStart = isVerbatim ? afterSeq - ContainerLine.timeLength - user : afterSeq + session
        let count = isVerbatim ? afterSeq : afterSeq + session + user
        let made = Buffer.create(minimumCapacity: count) { _ in
            Header(
                install: install, length: UInt32(install.afterID.count + afterSeq), afterSeq: UInt32(afterSeq),
                session: (UInt32(sessionStart), UInt32(session)), userID: (UInt32(userStart), UInt32(user)))
        }
        made.withUnsafeMutablePointerToElements { bytes in
            let all = UnsafeMutableRawBufferPointer(start: bytes, count: count)
            all[0] = UInt8(ascii: ",")
            json.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: all[1...]).copyMemory(from: $0) }
            if !isVerbatim {
                UnsafeMutableRawBufferPointer(rebasing: all[sessionStart...]).copyBytes(from: sessionID.utf8)
                UnsafeMutableRawBufferPointer(rebasing: all[userStart...]).copyBytes(from: userID.utf8)
            }
        }
        buffer = unsafeDowncast(made, to: Buffer.self)
    }

    var install: InstallEnvelope { buffer.header.install }

    @inline(__always)
    func isOf(_ install: InstallEnvelope) -> Bool {
        buffer.withUnsafeMutablePointerToHeader { $0.pointee.install === install }
    }

    var sessionID: String { text { $0.session } }
    var userID: String { text { $0.userID } }

    /// The length of both pieces in bytes.
    @inline(__always)
    var length: Int { buffer.withUnsafeMutablePointerToHeader { Int($0.pointee.length) } }

    /// The bytes of the line between seq and time. Valid while the buffer is alive.
    @inline(__always)
    var afterSeq: UnsafeRawBufferPointer {
        buffer.withUnsafeMutablePointers { header, bytes in
            UnsafeRawBufferPointer(start: bytes, count: Int(header.pointee.afterSeq))
        }
    }

    /// What the cache knows about the user.
    @inline(__always)
    var user: CachedUser {
        get { buffer.withUnsafeMutablePointerToHeader { $0.pointee.user } }
        nonmutating _modify {
            let header = buffer.withUnsafeMutablePointerToHeader { $0 }
            yield &header.pointee.user
            _fixLifetime(buffer)
        }
    }

    /// Whether the user has this id.
    @inline(__always)
    func isUser(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        let own = bytes { $0.userID }
        guard own.count == id.count, let start = own.baseAddress, let other = id.baseAddress else { return false }
        return memcmp(start, other, id.count) == 0
    }

    private func text(_ range: (Header) -> (start: UInt32, count: UInt32)) -> String {
        String(decoding: bytes(range), as: UTF8.self)
    }

    @inline(__always)
    private func bytes(_ range: (Header) -> (start: UInt32, count: UInt32)) -> UnsafeBufferPointer<UInt8> {
        buffer.withUnsafeMutablePointers { header, bytes in
            let range = range(header.pointee)
            return UnsafeBufferPointer(start: bytes + Int(range.start), count: Int(range.count))
        }
    }
}
