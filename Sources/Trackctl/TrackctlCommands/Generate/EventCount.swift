internal import ArgumentParser

/// A number of events that a person typed: `1000000`, `1_000_000`, `1e6`, `500k` or `1M`.
struct EventCount: ExpressibleByArgument {
    let count: Int

    /// More than fits in a year of writing.
    private static let largest = 1_000_000_000_000

    init(_ count: Int) { self.count = count }

    var defaultValueDescription: String { "\(count)" }

    init?(argument: String) {
        guard let match = argument.wholeMatch(of: /(\d{1,15}(?:_\d{3})*)(?:e(\d{1,2})|([kMG]))?/.asciiOnlyDigits()),
            let number = Int(match.1.filter { $0 != "_" })
        else { return nil }
        let zeros = match.2.flatMap { Int($0) } ?? ["k": 3, "M": 6, "G": 9][match.3 ?? ""] ?? 0
        var count = number
        for _ in 0..<zeros where count <= Self.largest { count *= 10 }
        guard (1...Self.largest).contains(count) else { return nil }
        self.count = count
    }
}
