/// Detects the key type that the standard library's `Dictionary` encodes with, because its members come in random
/// order.
///
/// The type is not public, so the code encodes a dictionary once to find it.
enum DictionaryKey {
    private static let identifier: ObjectIdentifier? = {
        let probe = Probe()
        // If this fails, keys keep their order of encoding; nothing else changes.
        try? ["": true].encode(to: ProbeEncoder(probe: probe))
        return probe.identifier
    }()

    static func isKey(_ type: any CodingKey.Type) -> Bool { ObjectIdentifier(type) == identifier }

    private final class Probe {
        var identifier: ObjectIdentifier?
    }

    private struct ProbeEncoder: Encoder {
        let probe: Probe
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }
        private var ignoring: JSONNodeEncoder { JSONNodeEncoder(node: JSONNode(), codingPath: [], trace: nil) }

        init(probe: Probe) { self.probe = probe }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            probe.identifier = ObjectIdentifier(type)
            return KeyedEncodingContainer(NoMembers<Key>())
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer { ignoring.unkeyedContainer() }
        func singleValueContainer() -> any SingleValueEncodingContainer { ignoring.singleValueContainer() }
    }

    /// Ignores all members.
    private struct NoMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
        var codingPath: [any CodingKey] { [] }
        private var ignoring: JSONNodeEncoder { JSONNodeEncoder(node: JSONNode(), codingPath: [], trace: nil) }

        func encodeNil(forKey key: Key) {}
        func encode<T: Encodable>(_ value: T, forKey key: Key) {}

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(NoMembers<NestedKey>()) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { ignoring.unkeyedContainer() }
        func superEncoder() -> any Encoder { ignoring }
        func superEncoder(forKey key: Key) -> any Encoder { ignoring }
    }
}

/// A collection of the standard library that encodes as a list in random order.
protocol UnorderedCollection {
    /// The number of adjacent elements in that list that form a unit.
    static var elementWidth: Int { get }
}

extension Set: UnorderedCollection {
    static var elementWidth: Int { 1 }
}

/// A dictionary whose keys are neither strings nor integers encodes as a list of key, value, key, value …
extension Dictionary: UnorderedCollection {
    static var elementWidth: Int { 2 }
}
