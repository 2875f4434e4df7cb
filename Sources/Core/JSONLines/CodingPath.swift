/// The text of a path of keys: `items[2].price`. Names with non-word characters are quoted: `prices."a b"`.
enum CodingPath {
    static func text(_ keys: [any CodingKey]) -> String {
        keys.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return joined(path, isPlain(key.stringValue) ? key.stringValue : quoted(key.stringValue))
        }
    }

    /// Concatenates two paths.
    static func joined(_ outer: String, _ inner: String) -> String {
        outer.isEmpty || inner.isEmpty || inner.hasPrefix("[") ? outer + inner : "\(outer).\(inner)"
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "_-$@/".contains($0) }
    }

    private static func quoted(_ name: String) -> String {
        var json = JSONWriter()
        json.string(name)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
