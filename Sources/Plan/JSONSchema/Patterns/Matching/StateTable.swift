/// A pattern as a state table. A search is one lookup per byte, or per character if non-ASCII characters differ.
///
/// A state is the index of its row: one entry per class, then one for the end of the text. No match is possible after
/// `dead`, and `matched` is a final match.
struct StateTable: @unchecked Sendable {  // No lock: the memory is never written after initialization.
    static let dead: UInt16 = 0

    /// The state of a match, in the second row.
    private let matched: UInt16
    private let start: UInt16
    private let endClass: Int
    /// The next states.
    private let locations: UnsafeMutablePointer<UInt16>
    /// The class of each byte.
    private let byteClasses: UnsafeMutablePointer<UInt8>
    /// The classes of non-ASCII characters, or nil if the bytes alone are enough.
    private let scalarClasses: ScalarClassTable?

    init(locations: [UInt16], width: Int, start: UInt16, byteClasses: [UInt8], scalarClasses: ScalarClassTable?) {
        matched = UInt16(width)
        self.start = start
        endClass = width - 1
        self.locations = .allocate(capacity: locations.count)
        self.locations.initialize(from: locations, count: locations.count)
        self.byteClasses = .allocate(capacity: byteClasses.count)
        self.byteClasses.initialize(from: byteClasses, count: byteClasses.count)
        self.scalarClasses = scalarClasses
    }

    func deallocate() {
        locations.deallocate()
        byteClasses.deallocate()
        scalarClasses?.deallocate()
    }

    @inline(__always)
    func search(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if start <= matched { return start == matched }
        guard let first = text.baseAddress else { return atEnd(start) }
        if let scalarClasses { return search(text, scalarClasses) }
        var at = first
        let end = first + text.count
        var state = start
        while at < end {
            // In this order of additions, each load depends on only one earlier load.
            state = (locations + Int(byteClasses[Int(at.pointee)]))[Int(state)]
            if state <= matched { return state == matched }
            at += 1
        }
        return atEnd(state)
    }

    private func search(_ text: UnsafeBufferPointer<UInt8>, _ scalarClasses: ScalarClassTable) -> Bool {
        let walk = UTF8Walk(text)
        var offset = 0
        var state = start
        while offset < text.count {
            let byte = text[offset]
            let number: UInt8
            if byte < 0x80 {
                number = byteClasses[Int(byte)]
                offset += 1
            } else {
                number = scalarClasses[walk.next(&offset)]
            }
            state = (locations + Int(number))[Int(state)]
            if state <= matched { return state == matched }
        }
        return atEnd(state)
    }

    @inline(__always)
    private func atEnd(_ state: UInt16) -> Bool { (locations + endClass)[Int(state)] == matched }
}
