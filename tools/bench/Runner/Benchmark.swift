/// One benchmark: a name on the command line, and the figures it measures.
///
/// To add one, declare a type that conforms in a file of its own, and put it into `Benchmarks.all`.
protocol Benchmark: Sendable {
    /// The name on the command line: kebab-case.
    var name: String { get }

    /// What is measured against what, in one line.
    var summary: String { get }

    /// Measures. Checks first that both sides do the same work, and throws if they do not.
    ///
    /// - Parameter rounds: How often subject and baseline take turns.
    func figures(rounds: Int) throws -> [Figure]
}

/// Why a benchmark cannot say anything.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
