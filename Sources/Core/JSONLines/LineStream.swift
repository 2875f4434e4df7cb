internal import Foundation
internal import Primitives

/// The shared state of one encoding directly to bytes.
// Sendable without a lock: one thread at a time uses a stream, and it returns to the shared store only when it has no
// other reference.
final class LineStream: @unchecked Sendable {
    let state: UnsafeMutablePointer<LineStreamState>

    private init() {
        state = .allocate(capacity: 1)
        state.initialize(to: LineStreamState())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// An idle stream, whose memory the next value reuses. The thread that takes it owns it.
    private static let idle = Atomic<Unmanaged<LineStream>?>(nil)

    /// Writes a value, and returns whether this succeeded. If not, the writer contains part of the value.
    static func write(_ value: some Encodable, to json: inout JSONWriter) -> Bool {
        var stream = idle.exchange(nil, ordering: .acquiring)?.takeRetainedValue() ?? LineStream()
        let state = stream.state
        swap(&json, &state.pointee.json)
        stream.put(value, depth: 0, token: 0)
        swap(&json, &state.pointee.json)
        let isWritten = !state.pointee.isAbandoned && !json.overflowed
        // An encoder may have been kept: its token must stay invalid.
        state.pointee.abandon()
        if isKnownUniquelyReferenced(&stream), state.pointee.isSmall {
            state.pointee.reset()
            idle.exchange(.passRetained(stream), ordering: .acquiringAndReleasing)?.release()
        }
        return isWritten
    }

    /// Writes a value in its container: `depth` containers are open, and the innermost has this token.
    func put<T: Encodable>(_ value: T, depth: Int32, token: Int32) {
        switch state.pointee.kinds.kind(of: T.self) {
        case .bool: state.pointee.json.bool(same(value))
        case .string: state.pointee.json.string(same(value))
        case .double: put(same(value) as Double)
        case .float: put(same(value) as Float)
        case .int: state.pointee.json.integer(same(value) as Int)
        case .int8: state.pointee.json.integer(same(value) as Int8)
        case .int16: state.pointee.json.integer(same(value) as Int16)
        case .int32: state.pointee.json.integer(same(value) as Int32)
        case .int64: state.pointee.json.integer(same(value) as Int64)
        case .uint: state.pointee.json.integer(same(value) as UInt)
        case .uint8: state.pointee.json.integer(same(value) as UInt8)
        case .uint16: state.pointee.json.integer(same(value) as UInt16)
        case .uint32: state.pointee.json.integer(same(value) as UInt32)
        case .uint64: state.pointee.json.integer(same(value) as UInt64)
        case .date: put(same(value) as Date)
        case .url: state.pointee.json.string((same(value) as URL).absoluteString)
        case .data: state.pointee.json.string((same(value) as Data).base64EncodedString())
        case .decimal: put(same(value) as Decimal)
        case .json: putWritable(same(value) as JSONValue)
        case .writable, .object:
            if let value = value as? any JSONLineWritable {
                putWritable(value)
            } else {
                encode(value, depth: depth, token: token)
            }
        case .encodable: encode(value, depth: depth, token: token)
        }
    }

    /// Casts the value to its type, which `ValueKind` has determined.
    @inline(__always)
    private func same<T, Known>(_ value: T) -> Known { unsafeBitCast(value, to: Known.self) }

    private func encode<T: Encodable>(_ value: T, depth: Int32, token: Int32) {
        let location = state.pointee.expect(T.self)
        do {
            try value.encode(to: LineStreamEncoder(stream: self, depth: depth, token: location))
        } catch {
            return state.pointee.abandon()  // the tree gets the same error, with its path
        }
        state.pointee.settle(depth: depth, parent: token)
    }

    @inline(__always)
    func put(_ value: Double) {
        if !state.pointee.json.number(value) { state.pointee.abandon() }
    }

    @inline(__always)
    func put(_ value: Float) {
        if !state.pointee.json.number(value) { state.pointee.abandon() }
    }

    private func put(_ date: Date) {
        guard let microseconds = date.microsecondsSince1970 else { return state.pointee.abandon() }
        state.pointee.json.seconds(microseconds: microseconds)
    }

    private func put(_ decimal: Decimal) {
        guard !decimal.isNaN else { return state.pointee.abandon() }
        state.pointee.json.value(decimal.description.utf8)
    }

    private func putWritable(_ value: some JSONLineWritable) {
        do {
            try value.write(to: &state.pointee.json)
        } catch {
            state.pointee.abandon()
        }
    }
}
