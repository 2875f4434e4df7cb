/// The `Encoder` that fills a ``JSONNode``.
struct JSONNodeEncoder: Encoder {
    let node: JSONNode
    let codingPath: [any CodingKey]
    let trace: FailureTrace?
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject(isSorted: DictionaryKey.isKey(type))
        return KeyedEncodingContainer(JSONNodeKeyedContainer(node: node, codingPath: codingPath, trace: trace))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return JSONNodeUnkeyedContainer(node: node, codingPath: codingPath, trace: trace)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONNodeSingleValueContainer(node: node, codingPath: codingPath, trace: trace)
    }
}

/// The bytes of values without a container.
private enum Scalar {
    static func null() -> JSONNode { make { $0.null() } }
    static func bool(_ value: Bool) -> JSONNode { make { $0.bool(value) } }
    static func string(_ value: String) -> JSONNode { make { $0.string(value) } }
    static func integer(_ value: some FixedWidthInteger) -> JSONNode { make { $0.integer(value) } }

    static func number(_ value: Double, at path: [any CodingKey]) throws -> JSONNode {
        var json = JSONWriter(capacity: 24)
        guard json.number(value) else { throw JSONEncodingError.notFinite(at: path) }
        return JSONNode(bytes: json.bytes)
    }

    static func number(_ value: Float, at path: [any CodingKey]) throws -> JSONNode {
        var json = JSONWriter(capacity: 24)
        guard json.number(value) else { throw JSONEncodingError.notFinite(at: path) }
        return JSONNode(bytes: json.bytes)
    }

    static func make(_ write: (inout JSONWriter) -> Void) -> JSONNode {
        var json = JSONWriter(capacity: 24)
        write(&json)
        return JSONNode(bytes: json.bytes)
    }

    /// The node of any value. All type-specific methods of the standard library's protocols call it.
    static func node(_ value: some Encodable, at path: [any CodingKey], _ trace: FailureTrace?) throws -> JSONNode {
        switch value {
        case let value as Bool: bool(value)
        case let value as String: string(value)
        case let value as Double: try number(value, at: path)
        case let value as Float: try number(value, at: path)
        case let value as any FixedWidthInteger & Encodable: integer(value)
        default: try JSONNode.encoding(value, path: path, trace: trace)
        }
    }
}

private struct JSONNodeKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONNode
    let codingPath: [any CodingKey]
    let trace: FailureTrace?

    func encodeNil(forKey key: Key) { node.set(Scalar.null(), for: key.stringValue) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        node.set(try Scalar.node(value, at: codingPath + [key], trace), for: key.stringValue)
    }

    // The standard library's default implementations throw.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) { node.set(Scalar.integer(value), for: key.stringValue) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) { node.set(Scalar.integer(value), for: key.stringValue) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        child(key, reusing: true).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(key, reusing: true).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { child(NamedKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { child(key) }

    private func child(_ key: some CodingKey, reusing: Bool = false) -> JSONNodeEncoder {
        let path = codingPath + [key]
        if reusing, let existing = node.member(key.stringValue) {
            return JSONNodeEncoder(node: existing, codingPath: path, trace: trace)
        }
        let made = JSONNode()
        node.set(made, for: key.stringValue)
        return JSONNodeEncoder(node: made, codingPath: path, trace: trace)
    }
}

private struct JSONNodeUnkeyedContainer: UnkeyedEncodingContainer {
    let node: JSONNode
    let codingPath: [any CodingKey]
    let trace: FailureTrace?
    var count: Int { node.count }

    private var path: [any CodingKey] { codingPath + [NamedKey(index: count)] }

    func encodeNil() { node.append(Scalar.null()) }

    func encode<T: Encodable>(_ value: T) throws { node.append(try Scalar.node(value, at: path, trace)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) { node.append(Scalar.integer(value)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) { node.append(Scalar.integer(value)) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        child().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }
    func superEncoder() -> any Encoder { child() }

    private func child() -> JSONNodeEncoder {
        let made = JSONNode()
        defer { node.append(made) }
        return JSONNodeEncoder(node: made, codingPath: path, trace: trace)
    }
}

private struct JSONNodeSingleValueContainer: SingleValueEncodingContainer {
    let node: JSONNode
    let codingPath: [any CodingKey]
    let trace: FailureTrace?

    func encodeNil() { node.content = Scalar.null().content }

    func encode<T: Encodable>(_ value: T) throws {
        node.content = try Scalar.node(value, at: codingPath, trace).content
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) { node.content = Scalar.integer(value).content }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) { node.content = Scalar.integer(value).content }
}

/// A key that no user type declares: `super`, or an element's index.
struct NamedKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}
