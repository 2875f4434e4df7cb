/// An array that writes its elements as they come.
struct LineStreamUnkeyedContainer: UnkeyedEncodingContainer {
    let stream: LineStream
    let depth: Int32
    let token: Int32
    /// The number of elements that were encoded here when it is no longer this array's turn.
    private var lastCount = 0

    init(stream: LineStream, depth: Int32, token: Int32) {
        self.stream = stream
        self.depth = depth
        self.token = token
    }

    var codingPath: [any CodingKey] { stream.path }
    var count: Int { stream.state.pointee.count(of: token, depth: depth) ?? lastCount }

    @inline(__always)
    private mutating func begin() -> Bool {
        lastCount += 1
        return stream.state.pointee.beginElement(of: token, depth: depth)
    }

    @inline(__always)
    private mutating func integer(_ value: some FixedWidthInteger) {
        if begin() { stream.state.pointee.json.integer(value) }
    }

    mutating func encodeNil() { if begin() { stream.state.pointee.json.null() } }
    mutating func encode(_ value: Bool) { if begin() { stream.state.pointee.json.bool(value) } }
    mutating func encode(_ value: String) { if begin() { stream.state.pointee.json.string(value) } }
    mutating func encode(_ value: Double) { if begin() { stream.put(value) } }
    mutating func encode(_ value: Float) { if begin() { stream.put(value) } }
    mutating func encode(_ value: Int) { integer(value) }
    mutating func encode(_ value: Int8) { integer(value) }
    mutating func encode(_ value: Int16) { integer(value) }
    mutating func encode(_ value: Int32) { integer(value) }
    mutating func encode(_ value: Int64) { integer(value) }
    mutating func encode(_ value: Int128) { integer(value) }
    mutating func encode(_ value: UInt) { integer(value) }
    mutating func encode(_ value: UInt8) { integer(value) }
    mutating func encode(_ value: UInt16) { integer(value) }
    mutating func encode(_ value: UInt32) { integer(value) }
    mutating func encode(_ value: UInt64) { integer(value) }
    mutating func encode(_ value: UInt128) { integer(value) }

    mutating func encode<T: Encodable>(_ value: T) {
        guard begin() else { return }
        stream.put(value, depth: depth + 1, token: token)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = begin() ? stream.state.pointee.nestObject(isSorted: DictionaryKey.isKey(keyType)) : -1
        return KeyedEncodingContainer(
            LineStreamKeyedContainer<NestedKey>(stream: stream, depth: depth + 1, token: nested))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let nested = begin() ? stream.state.pointee.nestArray() : -1
        return LineStreamUnkeyedContainer(stream: stream, depth: depth + 1, token: nested)
    }

    mutating func superEncoder() -> any Encoder {
        let nested = begin() ? stream.state.pointee.expect(nil) : -1
        return LineStreamEncoder(stream: stream, depth: depth + 1, token: nested)
    }
}
