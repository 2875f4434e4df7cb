import EventModel
import Testing

@testable import EventLog

/// Memory that starts with zeros, like a new file.
final class SharedMemory: @unchecked Sendable {  // The tests access it with atomics.
    let bytes: UnsafeMutableRawPointer
    let size: Int

    init(_ size: Int) {
        self.size = size
        bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    deinit { bytes.deallocate() }

    var words: [UInt64] { (0..<size / 8).map { bytes.load(fromByteOffset: 8 * $0, as: UInt64.self) } }

    func flip(_ bit: Int, at offset: Int) {
        bytes.storeBytes(
            of: bytes.load(fromByteOffset: offset, as: UInt8.self) ^ 1 << bit, toByteOffset: offset, as: UInt8.self)
    }
}

extension ConsentMirror {
    init(_ memory: SharedMemory) {
        self.init(memory.bytes, generation: SharedWord(memory.bytes, offset: Self.size))
    }

    fileprivate func put(_ state: ConsentRecord.State, _ number: Int64, of person: String) {
        put(ConsentRecord(state, number: number), of: Self.key(of: person))
        change()
    }

    fileprivate func record(of person: String) -> ConsentRecord? { records()[Self.key(of: person)] }
    fileprivate func state(of person: String) -> ConsentRecord.State? { record(of: person)?.state }
}

@Suite("The consents in the control file")
struct ConsentMirrorTests {
    let memory = SharedMemory(ConsentMirror.size + 8)
    var mirror: ConsentMirror { ConsentMirror(memory) }

    /// The words that a change has written, without the generation.
    private func changed(_ body: () -> Void) -> Int {
        let before = memory.words
        body()
        return zip(before, memory.words).enumerated().filter {
            8 * $0.offset < ConsentMirror.size && $0.element.0 != $0.element.1
        }.count
    }

    @Test("a standard record of a purpose is kept next to a stricter one of the same change; others need no slot")
    func standardRecords() {
        let ads = ConsentSubject("ada", for: "ads").key
        mirror.merge([
            ConsentSubject("ada").key: ConsentRecord(.inherited, number: 5), ads: ConsentRecord(.assumed, number: 5),
            ConsentSubject("bob").key: ConsentRecord(.assumed, number: 4),
        ])
        #expect(mirror.records()[ads]?.state == .assumed)
        #expect(mirror.state(of: "ada") == .inherited)
        #expect(mirror.state(of: "bob") == nil)
    }

    /// A process may end, or another process read, between any two writes. Each write here is one word.
    @Test("a new person changes two words, a later change one; the newer record stays")
    func words() {
        mirror.merge([:])
        #expect(changed { mirror.put(.denied, 5, of: "ada") } == 2)
        #expect(changed { mirror.put(.granted, 6, of: "ada") } == 1)
        #expect(changed { mirror.put(.denied, 5, of: "ada") } == 0)
        #expect(changed { mirror.put(.required, 9, of: "ada") } == 0)
        #expect(mirror.record(of: "ada") == ConsentRecord(.granted, number: 6))
        #expect(mirror.isIntact)
    }

    @Test(
        "the last 16 sign-ins are kept; a damaged one is ignored")
    func links() {
        mirror.merge([:])
        for number in 1...20 as ClosedRange<UInt64> { mirror.link(number << 20, to: (number + 100) << 20) }
        #expect(mirror.links == Dictionary(uniqueKeysWithValues: (5...20).map { ($0 << 20, ($0 + 100) << 20) }))
        #expect(mirror.isIntact && mirror.records().isEmpty)
        // The second word of the 20th sign-in, which is in the fifth pair.
        memory.bytes.storeBytes(of: 0, toByteOffset: ConsentMirror.size - 16 * 12 + 8, as: UInt64.self)
        #expect(mirror.links.count == 15 && mirror.links[20 << 20] == nil)
    }

    @Test("every state and number can be stored")
    func values() {
        mirror.merge([:])
        for state in ConsentRecord.State.allCases where state != .unreadable {
            for number in [0, 1, 1 << 39, ConsentMirror.numbers.upperBound] {
                let record = ConsentRecord(state, number: number)
                let person = ConsentMirror.key(of: "\(state) \(number)")
                mirror.put(record, of: person)
                #expect(mirror.records()[person] == record)
            }
        }
        #expect(mirror.isIntact && mirror.records().count == 28)
    }

    @Test("a slot that was claimed before its process ended has no record, and is used by the next change")
    func claimed() {
        mirror.merge([:])
        mirror.put(.denied, 1, of: "ada")
        // The value of a free slot, as between the two exchanges.
        let free = SharedMemory(ConsentMirror.size + 8)
        ConsentMirror(free).merge([:])
        memory.bytes.storeBytes(of: free.words[17], toByteOffset: 136, as: UInt64.self)
        #expect(mirror.isIntact && mirror.state(of: "ada") == nil && mirror.records().isEmpty)
        mirror.put(.granted, 2, of: "ada")
        #expect(mirror.state(of: "ada") == .granted && mirror.records().count == 1)
    }

    @Test("any changed bit or zero is detected; no record changes to another one")
    func changedBits() {
        #expect(!mirror.isIntact)
        let stored = ["ada": ConsentRecord(.denied, number: 3), "bob": ConsentRecord(.granted, number: 4)]
        let records = Dictionary(uniqueKeysWithValues: stored.map { (ConsentMirror.key(of: $0), $1) })
        mirror.merge(records)
        #expect(mirror.isIntact)
        for offset in 128..<128 + 16 * 5 {
            for bit in 0..<8 {
                memory.flip(bit, at: offset)
                // One of a million changes passes as a slot of another person, if it changes the key.
                #expect(!mirror.isIntact)
                #expect([nil, .denied].contains(mirror.state(of: "ada")))
                #expect([nil, .granted].contains(mirror.state(of: "bob")))
                memory.flip(bit, at: offset)
            }
        }
        for offset in [128, 136, 128 + 16 * 100, 136 + 16 * 100] {
            memory.bytes.storeBytes(of: 0, toByteOffset: offset, as: UInt64.self)
        }
        #expect(!mirror.isIntact)
        mirror.merge(records)
        #expect(mirror.isIntact && mirror.records() == records)
    }

    @Test("a damaged counter continues after the highest number in the mirror")
    func counter() {
        mirror.merge([ConsentMirror.key(of: "ada"): ConsentRecord(.denied, number: 41)])
        #expect(mirror.draw() == 42)
        mirror.put(.denied, 42, of: "ada")
        mirror.counter.publish(.max)
        #expect(!mirror.isIntact && mirror.draw() == 43 && mirror.isIntact)
    }

    @Test("with more people than slots, the latest changes have one")
    func overflow() {
        let people = (1...ConsentMirror.slotCount + 5).map { number in
            (ConsentMirror.key(of: "\(number)"), ConsentRecord(.granted, number: Int64(number)))
        }
        mirror.merge(Dictionary(uniqueKeysWithValues: people))
        #expect(mirror.isIntact && mirror.records().count == ConsentMirror.slotCount)
        #expect(mirror.state(of: "5") == nil && mirror.state(of: "6") == .granted)
        #expect(!mirror.put(ConsentRecord(.denied, number: 999), of: ConsentMirror.key(of: "new")))
    }

    @Test("repairing and merging during changes and lookups loses no person and no later answer")
    func atAnyMoment() async {
        let mirror = mirror
        mirror.merge([:])
        let people = (0..<100).map { "user-\($0)" }
        await withTaskGroup { group in
            group.addTask {
                for _ in 0..<300 { mirror.merge(mirror.records()) }
            }
            group.addTask {
                // Free slots at the end are damaged all the time.
                for _ in 0..<300 {
                    SharedWord(self.memory.bytes, offset: 128 + 16 * 240).publish(7)
                    mirror.merge([:])
                }
            }
            for thread in 0..<3 {
                group.addTask {
                    for person in people.dropFirst(thread) {
                        let number = mirror.draw()
                        let isDenied = number % 2 == 0
                        mirror.put(isDenied ? .denied : .granted, number, of: person)
                        for _ in 0..<20 {
                            #expect(
                                mirror.record(of: person).map { $0.number >= number } == true)
                        }
                    }
                }
            }
        }
        mirror.merge([:])
        #expect(mirror.isIntact)
        #expect(Set(mirror.records().keys) == Set(people.map(ConsentMirror.key)))
        for record in mirror.records().values { #expect(record.state == (record.number % 2 == 0 ? .denied : .granted)) }
    }
}
