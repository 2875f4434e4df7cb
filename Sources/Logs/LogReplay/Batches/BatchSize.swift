/// How much a batch holds.
struct BatchSize: Hashable, Sendable {
    let events: Int
    /// By which it is full, line feeds and what its lines may still grow by included.
    let bytes: Int
}
