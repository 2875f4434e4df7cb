internal import Primitives

/// The log's identity in the control file: the last four identities, of which the valid one with the highest number is the
/// log's.
///
/// ```text
///    0      the number of the last identity
///    64     the number of the last identity that is also stored elsewhere
///    128    entries: number, lengths, checksum, the ids; the identity with the number n is in the entry n % 4
/// ```
///
/// A kill during a write, or a slow writer that overwrites a newer entry, leaves an entry with a wrong checksum.
struct IdentityRing: Sendable {
    private static let entryCount: UInt64 = 4
    private static let entrySize = 2016
    static let size = 128 + Int(entryCount) * entrySize
    /// The maximum bytes of an identity.
    private static let capacity = entrySize - 24
    private let base: SharedBytes

    init(_ base: UnsafeMutableRawPointer) { self.base = SharedBytes(pointer: base) }

    private func word(_ offset: Int) -> SharedWord { SharedWord(base.pointer, offset: offset) }
    private var last: SharedWord { word(0) }
    var stored: SharedWord { word(64) }

    /// The word of an entry.
    private func word(_ entry: UInt64, _ index: Int) -> SharedWord {
        word(128 + Int(entry) * Self.entrySize + 8 * index)
    }

    /// Whether the newest identity is only in this file.
    var isUnstored: Bool { newest.map { UInt64($0.number) > stored.load() } ?? false }

    /// The newest identity. Safe to call from any thread, without a lock.
    var newest: LogIdentity? {
        let numbers = (0..<Self.entryCount).map { (entry: $0, number: word($0, 0).load()) }
        for number in numbers.sorted(by: { $0.number > $1.number }) {
            if let identity = read(number.entry) { return identity }
        }
        return nil
    }

    /// Sets the identity, with the next number. Safe to call from any thread, without a lock.
    ///
    /// - Parameter number: The lowest number to use.
    func set(_ identity: LogIdentity, atLeast number: Int64 = 1) -> LogIdentity {
        last.raise(to: UInt64(max(newest?.number ?? 0, number - 1, 0)))
        var identity = identity
        identity.number = Int64(clamping: last.increment())
        put(identity)
        return identity
    }

    /// Sets the identity with the number that it has.
    func put(_ identity: LogIdentity) {
        last.raise(to: UInt64(identity.number))
        let entry = UInt64(identity.number) % Self.entryCount
        // A slow writer of an older identity may write to the same entry.
        for _ in 0..<3 where read(entry).map({ $0.number < identity.number }) ?? true { write(identity, entry) }
    }

    /// Overwrites all identities before the newest one, also incomplete ones.
    func forgetFormer() {
        guard let present = newest.map({ UInt64($0.number) }) else { return }
        for entry in 0..<Self.entryCount where word(entry, 0).load() < present {
            for index in 2..<Self.entrySize / 8 { word(entry, index).publish(0) }
        }
    }

    /// Writes an entry. An identity that is too long loses its ended session, or is not written.
    private func write(_ identity: LogIdentity, _ entry: UInt64) {
        var texts = [identity.deviceID, identity.userID, identity.endedSession].map { $0.map { Array($0.utf8) } }
        func size() -> Int { texts.reduce(0) { $0 + ($1?.count ?? 0) } }
        if size() > Self.capacity { texts[2] = nil }
        guard size() <= Self.capacity else { return }
        // 0 for a missing text.
        let lengths = texts.reversed().reduce(UInt64(0)) { $0 << 16 | UInt64($1.map { $0.count + 1 } ?? 0) }
        let words = [UInt64(identity.number), lengths] + Self.words(texts.flatMap { $0 ?? [] })
        word(entry, 2).publish(0)
        for (index, value) in words.enumerated() { word(entry, index < 2 ? index : index + 1).publish(value) }
        word(entry, 2).publish(Self.checksum(words))
    }

    private func read(_ entry: UInt64) -> LogIdentity? {
        let number = word(entry, 0).load()
        let lengths = word(entry, 1).load()
        let counts = (0..<3).map { Int(lengths >> (16 * $0) & 0xFFFF) - 1 }
        let size = counts.reduce(0) { $0 + max($1, 0) }
        guard counts[0] >= 0, size <= Self.capacity, let number = Int64(exactly: number), number > 0 else { return nil }
        let words = (0..<(size + 7) / 8).map { word(entry, 3 + $0).load() }
        guard word(entry, 2).load() == Self.checksum([UInt64(number), lengths] + words) else { return nil }
        var bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }[...]
        let texts = counts.map { count -> String? in
            guard count >= 0 else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        return LogIdentity(deviceID: texts[0] ?? "", userID: texts[1], endedSession: texts[2], number: number)
    }

    private static func words(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<min(start + 8, bytes.count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static func checksum(_ words: [UInt64]) -> UInt64 {
        words.reduce(1) { SplitMix64.mixed($0 ^ $1) }
    }
}
