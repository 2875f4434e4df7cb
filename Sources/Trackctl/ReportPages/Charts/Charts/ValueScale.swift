/// A scale of whole numbers from 0, with few marks at round ones.
package struct ValueScale: Sendable, Equatable {
    private static let most = 4

    /// Between two marks.
    let step: Int
    /// The highest mark; at least the highest value.
    package let top: Int

    /// - Parameter highest: The highest value.
    package init(highest: Int) {
        var unit = 1
        while unit <= highest / (10 * Self.most) { unit *= 10 }
        let step = [1, 2, 5, 10].map { $0 * unit }.first { $0 * Self.most >= highest } ?? 10 * unit
        self.step = step
        top = max(1, (highest + step - 1) / step) * step
    }

    /// From 0 to the top.
    var marks: [Int] { Array(stride(from: 0, through: top, by: step)) }
}
