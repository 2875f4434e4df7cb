/// The `Encoder` that writes bytes immediately.
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
    /// Only the tree encoder tracks coding paths: reading the path here switches to it.
    var path: [any CodingKey] {
        state.pointee.abandon()
        return []
    }
}

/// An object that writes its members immediately.
struct LineStreamKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let stream: LineStream
    let depth: Int32
    let token: Int32

    var codingPath: [any CodingKey] { stream.path }

    @inline(__always)
    private func begin(_ key: some CodingKey) -> Bool {
        stream.state.pointee.beginMember(key.stringValue, of: token, depth: depth)
    }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger, _ key: Key) {
        if begin(key) { stream.state.pointee.json.integer(value) }
    }

    func encodeNil(forKey key: Key) { if begin(key) { stream.state.pointee.json.null() } }
    func encode(_ value: Bool, forKey key: Key) { if begin(key) { stream.state.pointee.json.bool(value) } }
    func encode(_ value: String, forKey key: Key) { if begin(key) { stream.state.pointee.json.string(value) } }
    func encode(_ value: Double, forKey key: Key) { if begin(key) { stream.put(value) } }
    func encode(_ value: Float, forKey key: Key) { if begin(key) { stream.put(value) } }
    func encode(_ value: Int, forKey key: Key) { integer(value, key) }
    func encode(_ value: Int8, forKey key: Key) { integer(value, key) }
    func encode(_ value: Int16, forKey key: Key) { integer(value, key) }
    func encode(_ value: Int32, forKey key: Key) { integer(value, key) }
    func encode(_ value: Int64, forKey key: Key) { integer(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt8, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt16, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt32, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt64, forKey key: Key) { integer(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) { integer(value, key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) {
        guard begin(key) else { return }
        stream.put(value, depth: depth + 1, token: token)
    }

    // The standard library's default implementations would be slower.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: Int128?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) { if let value { encode(value, forKey: key) } }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) { if let value { encode(value, forKey: key) } }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = begin(key) ? stream.state.pointee.nestObject(isSorted: DictionaryKey.isKey(keyType)) : -1
        return KeyedEncodingContainer(
            LineStreamKeyedContainer<NestedKey>(stream: stream, depth: depth + 1, token: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = begin(key) ? stream.state.pointee.nestArray() : -1
        return LineStreamUnkeyedContainer(stream: stream, depth: depth + 1, token: nested)
    }

    func superEncoder() -> any Encoder { encoder(for: NamedKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func encoder(for key: some CodingKey) -> LineStreamEncoder {
        let nested = begin(key) ? stream.state.pointee.expect(nil) : -1
        return LineStreamEncoder(stream: stream, depth: depth + 1, token: nested)
    }
}

/// An array that writes its elements immediately.
struct LineStreamUnkeyedContainer: UnkeyedEncodingContainer {
    let stream: LineStream
    let depth: Int32
    let token: Int32
    /// The number of elements when the array was closed.
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
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) { integer(value) }
    mutating func encode(_ value: UInt) { integer(value) }
    mutating func encode(_ value: UInt8) { integer(value) }
    mutating func encode(_ value: UInt16) { integer(value) }
    mutating func encode(_ value: UInt32) { integer(value) }
    mutating func encode(_ value: UInt64) { integer(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
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

/// A single value, written immediately.
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
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) { integer(value) }
    func encode(_ value: UInt) { integer(value) }
    func encode(_ value: UInt8) { integer(value) }
    func encode(_ value: UInt16) { integer(value) }
    func encode(_ value: UInt32) { integer(value) }
    func encode(_ value: UInt64) { integer(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) { integer(value) }

    func encode<T: Encodable>(_ value: T) {
        guard isDue else { return }
        stream.put(value, depth: depth, token: stream.state.pointee.current)
    }
}
