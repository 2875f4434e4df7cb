/// Why a line becomes no event: in words that many lines share, without anything of the line.
package struct Refusal: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
