/// An object that writes its members as they come.
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
    func encode(_ value: Int128, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt8, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt16, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt32, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt64, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt128, forKey key: Key) { integer(value, key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) {
        guard begin(key) else { return }
        stream.put(value, depth: depth + 1, token: token)
    }

    // The standard library's own versions of these would take a way around.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { if let value { encode(value, forKey: key) } }
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
