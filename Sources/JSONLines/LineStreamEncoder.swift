/// The `Encoder` that writes bytes as it is asked to.
struct LineStreamEncoder: Encoder {
    let stream: LineStream
    let depth: Int32
    let token: Int32

    var codingPath: [any CodingKey] { stream.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        stream.state.pointee.openObject(token, depth: depth, isSorted: DictionaryKey.isKey(type))
        return KeyedEncodingContainer(LineStreamKeyedContainer(stream: stream, depth: depth, token: token))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        stream.state.pointee.openArray(token, depth: depth)
        return LineStreamUnkeyedContainer(stream: stream, depth: depth, token: token)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        LineStreamSingleValueContainer(stream: stream, depth: depth, token: token)
    }
}

extension LineStream {
    /// Keys are only collected by the tree encoder: whoever asks for them gets them there.
    var path: [any CodingKey] {
        state.pointee.abandon()
        return []
    }
}

struct LineStreamSingleValueContainer: SingleValueEncodingContainer {
    let stream: LineStream
    let depth: Int32
    let token: Int32

    var codingPath: [any CodingKey] { stream.path }

    @inline(__always)
    private var isDue: Bool { stream.state.pointee.fill(token, depth: depth) }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger) {
        if isDue { stream.state.pointee.json.integer(value) }
    }

    func encodeNil() { if isDue { stream.state.pointee.json.null() } }
    func encode(_ value: Bool) { if isDue { stream.state.pointee.json.bool(value) } }
    func encode(_ value: String) { if isDue { stream.state.pointee.json.string(value) } }
    func encode(_ value: Double) { if isDue { stream.put(value) } }
    func encode(_ value: Float) { if isDue { stream.put(value) } }
    func encode(_ value: Int) { integer(value) }
    func encode(_ value: Int8) { integer(value) }
    func encode(_ value: Int16) { integer(value) }
    func encode(_ value: Int32) { integer(value) }
    func encode(_ value: Int64) { integer(value) }
    func encode(_ value: Int128) { integer(value) }
    func encode(_ value: UInt) { integer(value) }
    func encode(_ value: UInt8) { integer(value) }
    func encode(_ value: UInt16) { integer(value) }
    func encode(_ value: UInt32) { integer(value) }
    func encode(_ value: UInt64) { integer(value) }
    func encode(_ value: UInt128) { integer(value) }

    func encode<T: Encodable>(_ value: T) {
        guard isDue else { return }
        stream.put(value, depth: depth, token: stream.state.pointee.current)
    }
}
