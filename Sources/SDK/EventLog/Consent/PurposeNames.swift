internal import EventModel

/// The names of a log's purposes in the control file, so that a change of consent in any process considers all of them.
///
/// A slot is a number that is computed from the name, and the name, padded with zeros. A slot is claimed with one exchange,
/// and never freed. A name without a slot is only in the database, in the column `purposes` of the table `log`.
struct PurposeNames: Sendable {
    static let slotCount = Purpose.maximumCount + 1
    private static let nameWords = 8
    private static let slotSize = 8 * (1 + nameWords)
    static let size = slotCount * slotSize
    private let base: SharedBytes

    init(_ base: UnsafeMutableRawPointer) { self.base = SharedBytes(pointer: base) }

    private func word(_ slot: Int, _ index: Int) -> SharedWord {
        SharedWord(base.pointer, offset: slot * Self.slotSize + 8 * index)
    }

    /// The names, without damaged ones. Safe to call from any thread, without a lock.
    var all: [Purpose] {
        (0..<Self.slotCount).compactMap { slot in
            let mark = word(slot, 0).load()
            guard mark != 0 else { return nil }
            let bytes = (1...Self.nameWords).flatMap { index in
                withUnsafeBytes(of: word(slot, index).load().littleEndian) { Array($0) }
            }
            let purpose = Purpose(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            return Self.mark(purpose) == mark ? purpose : nil
        }
    }

    /// Adds a purpose if there is a slot. Safe to call from any thread, without a lock.
    func add(_ purpose: Purpose) {
        guard purpose.isValid, purpose != .exempt else { return }
        let mark = Self.mark(purpose)
        for slot in 0..<Self.slotCount {
            // Another process may claim the slot for the same name at the same time.
            guard word(slot, 0).exchange(0, for: mark) || word(slot, 0).load() == mark else { continue }
            // The process that claimed the slot may have ended before it wrote the name.
            let bytes = Array(purpose.name.utf8)
            for index in 0..<Self.nameWords {
                let part = bytes.dropFirst(8 * index).prefix(8)
                word(slot, 1 + index).publish(part.reversed().reduce(0) { $0 << 8 | UInt64($1) })
            }
            return
        }
    }

    /// Never 0.
    private static func mark(_ purpose: Purpose) -> UInt64 { max(ConsentMirror.hash(purpose), 1) }
}
