/// A pattern as a table of states: a search is one look-up a byte, or a character if others than ASCII ones differ.
///
/// A state is the place at which its row begins: a place a class, then one for the text's end. `dead` is a state
/// that no match follows, `matched` one that nothing can change.
struct StateTable: @unchecked Sendable {  // no lock: the memory is written before the table is made, never after
    static let dead: UInt16 = 0

    /// The state of a match; its row is the second.
    private let matched: UInt16
    private let start: UInt16
    private let endClass: Int
    /// The next states.
    private let locations: UnsafeMutablePointer<UInt16>
    /// The class of each byte.
    private let byteClasses: UnsafeMutablePointer<UInt8>
    /// The classes of characters beyond ASCII, or nil if the bytes alone tell.
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
            // Added in this order, only one load waits for the one before.
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
