/// Something that stands in a section of a ``ChartPage``.
package protocol PageBlock: Sendable {
    /// The block in HTML, without a line feed at its end.
    var html: String { get }
}
