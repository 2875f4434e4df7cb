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
