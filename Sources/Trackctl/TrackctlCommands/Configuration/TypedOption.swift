internal import ArgumentParser
internal import EventModel

/// Options whose parse errors have a position.
enum TypedOption {
    /// Parses a value.
    ///
    /// - Throws: `ValidationError` that shows the text with a mark under the error.
    static func read<Value>(
        _ text: String, _ make: (String) throws(TypedTextError) -> Value
    ) throws -> Value {
        do { return try make(text) } catch { throw ValidationError(error.description) }
    }
}
