/// Storage whose answers are recorded.
struct RecordedStorage: KeyValueStorage {
    private struct Change: Encodable {
        let key: String
        let value: String?
    }

    /// The recorded storage refused a value; the error itself is not recorded.
    private struct Refused: Error {}

    let storage: any KeyValueStorage
    let tape: EnvironmentTape

    func string(forKey key: String) -> String? {
        tape.value("storage/\(key)") { storage.string(forKey: key) }
    }

    func set(_ value: String?, forKey key: String) throws {
        tape.note(.request, "storage", Change(key: key, value: value))
        var failure: (any Error)?
        let isStored = tape.value("storage") {
            do { try storage.set(value, forKey: key) } catch { failure = error }
            return failure == nil
        }
        guard isStored else { throw failure ?? Refused() }
    }
}
