internal import EventModel
internal import Primitives

/// The sessions of people who read the live page: random tokens in cookies, in memory only. Thread-safe.
///
/// A session ends eight hours after its login, at logout, when its admin token is revoked, and with the process.
final class AdminSessions: Sendable {
    static let lifetime: Int64 = 8 * 3600
    /// The oldest session ends when there would be more.
    private static let maximumCount = 1000

    private struct Session {
        var key: [UInt8]
        var ends: EventTime
    }

    private let sessions = Locked<[[UInt8]: Session]>([:])

    /// Starts a session.
    ///
    /// - Parameter key: The admin token.
    /// - Returns: The session's token: 256 random bits in hexadecimal.
    func start(key: String, at now: EventTime) -> String {
        var random = SystemRandomNumberGenerator()
        let token = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }.hexadecimal
        let session = Session(
            key: Self.digest(key), ends: EventTime(microseconds: now.microseconds + Self.lifetime * 1_000_000))
        sessions.withLock { sessions in
            sessions = sessions.filter { $0.value.ends > now }
            if sessions.count >= Self.maximumCount, let oldest = sessions.min(by: { $0.value.ends < $1.value.ends }) {
                sessions[oldest.key] = nil
            }
            sessions[Self.digest(token)] = session
        }
        return token
    }

    /// The digest of the admin token of a session; nil if there is no such session.
    ///
    /// Only digests are compared, so the time reveals nothing about a token.
    func keyDigest(of token: String, at now: EventTime) -> [UInt8]? {
        sessions.withLock { $0[Self.digest(token)] }.flatMap { $0.ends > now ? $0.key : nil }
    }

    func end(_ token: String) { sessions.withLock { $0[Self.digest(token)] = nil } }

    private static func digest(_ text: String) -> [UInt8] { SHA256.bytes(of: Array(text.utf8)) }
}
