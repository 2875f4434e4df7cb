/// Counts as a row of bars, each an eighth higher than the one below it.
enum Sparkline {
    private static let bars: [Character] = Array("▁▂▃▄▅▆▇█")

    /// One character for each value; a space for none. The highest value is a whole bar.
    static func text(_ values: [Double]) -> String {
        let highest = values.max() ?? 0
        return String(
            values.map { value in
                value <= 0 ? " " : bars[min(bars.count - 1, Int(value / highest * Double(bars.count)))]
            })
    }
}
