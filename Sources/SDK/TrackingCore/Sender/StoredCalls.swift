internal import EventLog
internal import EventModel
internal import Foundation

/// The denials of a person who has no id, and the sign-outs after them, in the storage of a tracker: the log has none of them
/// before it is opened, where nothing is stored before the answer. A later opening performs them first.
struct StoredCalls: Codable, Equatable, Sendable {
    /// The key in the storage.
    static let key = "denials"

    private struct Call: Codable, Equatable, Sendable {
        /// When the person denied consent, in microseconds; nil for a sign-out.
        var denied: Int64?
        /// nil for all purposes.
        var purposes: [String]?
    }

    private var calls: [Call] = []

    init() {}

    /// - Parameter text: The stored form; nil if nothing is stored.
    /// - Throws: ``/EventLog/EventLogError`` if the text is damaged: consent would be unknown otherwise.
    init(_ text: String?) throws {
        guard let text else { return }
        do { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) } catch {
            throw EventLogError(
                .corrupt, "cannot read the denials in the storage: not valid JSON; remove the key '\(Self.key)' from it"
            )
        }
    }

    var isEmpty: Bool { calls.isEmpty }

    /// The stored form; nil for no calls.
    var text: String? {
        // Names and numbers can always be encoded, so nothing is lost.
        guard !calls.isEmpty, let data = try? JSONEncoder().encode(self) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// What must be known of a call at the next start: an answer, or a sign-out.
    ///
    /// - Parameter former: The user before the call.
    static func stored(_ call: SenderCall, former: String?) -> SenderCall {
        if case .identify(let user) = call, former != nil, user != former { .reset } else { call }
    }

    /// Adds a call that must be known at the next start; see ``stored(_:former:)``.
    ///
    /// - Returns: Whether it was added.
    mutating func add(_ call: SenderCall) -> Bool {
        switch call {
        case .answer(.denied, let purposes, let time, nil, _):
            if purposes == nil { calls = [] }
            calls.append(Call(denied: time.microseconds, purposes: purposes?.map(\.name)))
        case .reset:
            guard calls.last?.denied != nil else { return false }
            calls.append(Call())
        case .answer, .identify: return false
        }
        return true
    }

    /// The calls in their order.
    ///
    /// - Parameter known: Changes that are performed anyway.
    func all(except known: [SenderCall] = []) -> [SenderCall] {
        let denials = known.compactMap {
            if case .answer(.denied, let purposes, let time, nil, _) = $0 {
                Call(denied: time.microseconds, purposes: purposes?.map(\.name))
            } else {
                nil
            }
        }
        var isKnown = false
        return calls.compactMap { call in
            // A sign-out is from the process of the denial before it.
            if call.denied != nil { isKnown = denials.contains(call) }
            guard !isKnown else { return nil }
            return call.denied.map { time in
                .answer(
                    .denied, for: call.purposes?.map { Purpose($0) }, at: EventTime(microseconds: time),
                    of: nil, stored: Awaited())
            } ?? .reset
        }
    }
}
