internal import Synchronization

/// The sets of code points that `\p{…}` names.
enum ScalarProperty {
    /// Sets that were looked up before: to make one, hundreds of thousands of code points are asked.
    private static let known = Mutex<[String: ScalarSet]>([:])

    /// The set of a property, or of its value, or nil if there is no such property.
    ///
    /// Names are those of ECMA-262: https://tc39.es/ecma262/#table-nonbinary-unicode-properties
    static func set(_ name: String, value: String?) -> ScalarSet? {
        let key = value.map { "\(name)=\($0)" } ?? name
        if let set = known.withLock({ $0[key] }) { return set }
        guard let set = find(name, value: value) else { return nil }
        known.withLock { $0[key] = set }
        return set
    }

    /// Whether there is such a property: faster than making its set.
    static func exists(_ name: String, value: String?) -> Bool {
        guard let value else {
            return isPictographs(name) || GeneralCategories.exists(name) || BinaryProperty.exists(name)
        }
        switch name {
        case "General_Category", "gc": return GeneralCategories.exists(value)
        case "Script", "sc", "Script_Extensions", "scx": return !isPictographs(value) && ScriptProperty.exists(value)
        default: return false
        }
    }

    private static func isPictographs(_ name: String) -> Bool {
        name == ScriptProperty.pictographs.long || name == ScriptProperty.pictographs.short
    }

    private static func find(_ name: String, value: String?) -> ScalarSet? {
        guard let value else {
            if isPictographs(name) { return ScriptProperty.set(name, extensions: false) }
            return GeneralCategories.set(name) ?? BinaryProperty.set(name)
        }
        switch name {
        case "General_Category", "gc": return GeneralCategories.set(value)
        case "Script", "sc": return script(value, extensions: false)
        case "Script_Extensions", "scx": return script(value, extensions: true)
        default: return nil
        }
    }

    private static func script(_ name: String, extensions: Bool) -> ScalarSet? {
        isPictographs(name) ? nil : ScriptProperty.set(name, extensions: extensions)
    }
}
