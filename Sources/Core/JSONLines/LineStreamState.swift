/// The state of an encoding: the bytes so far and the open containers.
///
/// A container closes when a value is written outside it. Containers and encoders have a depth and a token. Writing
/// with the token of a closed container is out of order, which ends the stream: ``abandon()``.
struct LineStreamState: ~Copyable {
    struct Frame {
        var token: Int32
        var isArray: Bool
        /// Whether members, or the elements of a set, are sorted by their bytes.
        var isSorted: Bool
        /// The number of elements that stay together when sorted.
        var width: Int32
        var count: Int
        var firstMark: Int
        /// A bit set of hashes of the names so far: a name whose bit is not set is new.
        var names: UInt64
    }

    /// The position of a member's name without its quotes, or of the start of an element.
    struct Mark {
        var start: Int
        var length: Int
    }

    /// Objects with more members are left to the tree, which has an index. Dictionaries are checked when sorted.
    private static let maximumNames = 256

    var json = JSONWriter(capacity: 0)
    let kinds = ValueKindCache()
    /// The token of the innermost container if it may be written; otherwise 0.
    private(set) var current: Int32 = 0
    /// The token of a value that is expected next; otherwise 0.
    private var pending: Int32 = 0
    /// The type of the expected value.
    private var pendingType: (any Any.Type)?
    private var lastToken: Int32 = 0
    private(set) var depth: Int32 = 0
    private(set) var isAbandoned = false
    private var frames = PlainStack<Frame>(capacity: 16)
    private var marks = PlainStack<Mark>(capacity: 64)

    /// Whether to keep the memory for the next value.
    var isSmall: Bool { frames.capacity <= 64 && marks.capacity <= 1024 }

    mutating func reset() {
        current = 0
        pending = 0
        lastToken = 0
        depth = 0
        isAbandoned = false
        frames.count = 0
        marks.count = 0
    }

    /// Abandons the stream: nothing more is written, and the tree encoder starts over.
    @inline(never)
    mutating func abandon() {
        isAbandoned = true
        current = 0
        pending = 0
    }

    /// Expects a value. The token belongs to its encoder.
    @inline(__always)
    mutating func expect(_ type: (any Any.Type)?) -> Int32 {
        lastToken &+= 1
        pending = lastToken
        pendingType = type
        current = 0
        return lastToken
    }

    /// Whether an expected value at `depth` may be written now, without a container.
    @inline(__always)
    mutating func fill(_ token: Int32, depth: Int32) -> Bool {
        guard pending == token else {
            abandon()
            return false
        }
        pending = 0
        current = depth > 0 ? frames[Int(depth) - 1].token : 0
        return true
    }

    /// Ends an expected value at `depth`, and closes its containers.
    @inline(__always)
    mutating func settle(depth target: Int32, parent: Int32) {
        if isAbandoned { return }
        guard pending == 0, depth >= target else { return abandon() }
        while depth > target { closeInnermost() }
        if isAbandoned { return }
        guard target > 0 else { return }
        if frames[Int(target) - 1].token == parent { current = parent } else { abandon() }
    }

    /// Opens the object of an expected value, or returns the one that is already open.
    mutating func openObject(_ token: Int32, depth location: Int32, isSorted: Bool) {
        if pending == token {
            pending = 0
            pushObject(token, isSorted: isSorted)
        } else if location >= depth || frames[Int(location)].token != token || frames[Int(location)].isArray
            || (isSorted && !frames[Int(location)].isSorted)
        {
            abandon()
        }
    }

    /// Opens the array of an expected value, or returns the one that is already open.
    mutating func openArray(_ token: Int32, depth location: Int32) {
        if pending == token {
            pending = 0
            pushArray(token, width: (pendingType as? any UnorderedCollection.Type)?.elementWidth ?? 0)
        } else if location >= depth || frames[Int(location)].token != token || !frames[Int(location)].isArray {
            abandon()
        }
    }

    /// Opens an object as the value of the current member or element.
    mutating func nestObject(isSorted: Bool) -> Int32 {
        lastToken &+= 1
        pushObject(lastToken, isSorted: isSorted)
        return lastToken
    }

    /// Opens an array as the value of the current member or element.
    mutating func nestArray() -> Int32 {
        lastToken &+= 1
        pushArray(lastToken, width: 0)
        return lastToken
    }

    private mutating func pushObject(_ token: Int32, isSorted: Bool) {
        json.beginObject()
        push(
            Frame(
                token: token, isArray: false, isSorted: isSorted, width: 1, count: 0, firstMark: marks.count, names: 0))
    }

    private mutating func pushArray(_ token: Int32, width: Int) {
        json.beginArray()
        push(
            Frame(
                token: token, isArray: true, isSorted: width > 0, width: Int32(max(width, 1)), count: 0,
                firstMark: marks.count, names: 0))
    }

    private mutating func push(_ frame: Frame) {
        frames.append(frame)
        depth += 1
        current = frame.token
    }

    private mutating func closeInnermost() {
        let frame = frames[Int(depth) - 1]
        if frame.isSorted, frame.count > Int(frame.width) { sort(frame) }
        marks.count = frame.firstMark
        frames.count -= 1
        depth -= 1
        if frame.isArray { json.endArray() } else { json.endObject() }
    }

    /// Whether this container may be written now, if necessary after closing containers in it.
    @inline(__always)
    mutating func isTurn(of token: Int32, depth location: Int32) -> Bool {
        _fastPath(current == token) || resume(token, depth: location)
    }

    @inline(never)
    private mutating func resume(_ token: Int32, depth location: Int32) -> Bool {
        if isAbandoned { return false }
        guard pending == 0, location < depth, frames[Int(location)].token == token else {
            abandon()
            return false
        }
        while depth > location + 1 { closeInnermost() }
        if isAbandoned { return false }
        current = token
        return true
    }

    /// Begins a member if this object may be written and the name is new.
    mutating func beginMember(_ name: String, of token: Int32, depth location: Int32) -> Bool {
        guard isTurn(of: token, depth: location) else { return false }
        let isBegun = name.utf8.withContiguousStorageIfAvailable { beginMember($0) }
        if let isBegun { return isBegun }
        var copy = name
        return copy.withUTF8 { beginMember($0) }
    }

    @inline(__always)
    private mutating func beginMember(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let frame = frames.last
        let start = json.count + (json.needsComma ? 2 : 1)
        json.quoted(name, colon: true)
        json.needsComma = false
        let length = json.count - start - 2
        let bit = Self.bit(of: name)
        if _slowPath(frame.pointee.isSorted) {
            // Names are sorted unescaped.
            guard length == name.count else { return refuse() }
        } else if _slowPath(frame.pointee.names & bit != 0) {
            guard isNew(Mark(start: start, length: length)) else { return refuse() }
        }
        frame.pointee.names |= bit
        frame.pointee.count += 1
        marks.append(Mark(start: start, length: length))
        return true
    }

    private mutating func refuse() -> Bool {
        abandon()
        return false
    }

    /// Begins an element if this array may be written.
    @inline(__always)
    mutating func beginElement(of token: Int32, depth location: Int32) -> Bool {
        guard isTurn(of: token, depth: location) else { return false }
        let frame = frames.last
        frame.pointee.count += 1
        if _slowPath(frame.pointee.isSorted) {
            marks.append(Mark(start: json.count + (json.needsComma ? 1 : 0), length: 0))
        }
        return true
    }

    /// The number of elements of an array, or nil if it was closed.
    func count(of token: Int32, depth location: Int32) -> Int? {
        guard !isAbandoned, location < depth, frames[Int(location)].token == token else { return nil }
        return frames[Int(location)].count
    }

    @inline(__always)
    private static func bit(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let first = name.first, let last = name.last else { return 1 }
        let middle = name[name.count >> 1]
        let mixed = UInt64(first) &* 31 &+ UInt64(last) &* 1009 &+ UInt64(middle) &* 32_749 &+ UInt64(name.count) &* 7
        return 1 << ((mixed &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }

    @inline(never)
    private mutating func isNew(_ name: Mark) -> Bool {
        let frame = frames.last.pointee
        guard !json.overflowed, frame.count < Self.maximumNames else { return false }
        return json.withUnsafeBytes { bytes in
            for index in frame.firstMark..<marks.count where marks[index].length == name.length {
                if bytes[name.range].elementsEqual(bytes[marks[index].range]) { return false }
            }
            return true
        }
    }

    /// Sorts the members or elements of the innermost container by their bytes.
    @inline(never)
    private mutating func sort(_ frame: Frame) {
        guard !json.overflowed else { return abandon() }
        let end = json.count
        let width = Int(frame.width)
        let quote = frame.isArray ? 0 : 1
        // Each part extends from its first mark to the comma before the next part.
        func start(_ index: Int) -> Int { index < marks.count ? marks[index].start - quote : end + 1 }
        let sorted: [UInt8]? = json.withUnsafeBytes { bytes in
            var parts: [(name: Slice<UnsafeRawBufferPointer>, all: Slice<UnsafeRawBufferPointer>)] = []
            for index in stride(from: frame.firstMark, to: marks.count, by: width) {
                let name = frame.isArray ? start(index)..<start(index + 1) - 1 : marks[index].range
                parts.append((bytes[name], bytes[start(index)..<min(start(index + width), end + 1) - 1]))
            }
            parts.sort { $0.name.lexicographicallyPrecedes($1.name) }
            if !frame.isArray {
                for (part, next) in zip(parts, parts.dropFirst()) where part.name.elementsEqual(next.name) {
                    return nil
                }
            }
            return Array(parts.map(\.all).joined(separator: [UInt8(ascii: ",")]))
        }
        guard let sorted else { return abandon() }
        json.replaceTail(with: sorted)
    }
}

extension LineStreamState.Mark {
    var range: Range<Int> { start..<start + length }
}
