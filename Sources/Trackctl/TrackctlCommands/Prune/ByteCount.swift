internal import ArgumentParser

/// A number of bytes that a person typed: `500000`, `100MB` or `64MiB`.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int64

    private static let units: [String: Int64] = [
        "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
    ]

    init?(argument: String) {
        guard let match = argument.lowercased().wholeMatch(of: /(\d{1,18}) ?([kmg]?i?b?)/.asciiOnlyDigits()),
            let count = Int64(match.1), let unit = Self.units[String(match.2)]
        else { return nil }
        let (product, overflows) = count.multipliedReportingOverflow(by: unit)
        guard !overflows else { return nil }
        bytes = product
    }
}
