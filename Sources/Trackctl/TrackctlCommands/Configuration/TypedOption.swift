internal import ArgumentParser
internal import EventModel

/// Options in whose values a fault has a place.
enum TypedOption {
    /// Reads a value.
    ///
    /// - Throws: `ValidationError` that shows what was typed, with a mark under the place of the fault.
    static func read<Value>(
        _ text: String, _ make: (String) throws(TypedTextError) -> Value
    ) throws -> Value {
        do { return try make(text) } catch { throw ValidationError(error.description) }
    }
}
