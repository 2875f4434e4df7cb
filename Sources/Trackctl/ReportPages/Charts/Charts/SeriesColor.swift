/// The colours of series: those of M. Okabe and K. Ito, which people with any kind of colour vision tell apart.
package enum SeriesColor: Int, CaseIterable, Sendable {
    /// What is left over.
    case other
    case first, second, third, fourth, fifth, sixth

    /// Those that stand for something of its own, in their order.
    package static let own = Array(allCases.dropFirst())

    /// The class that ``ChartStyle`` gives the colour to.
    var name: String { "c\(rawValue)" }
}
