/// A place of a source file that keeps a protocol from becoming a double.
struct SourceFault: Error, Hashable, Comparable, CustomStringConvertible {
    let place: SourcePlace
    /// What is wrong, and what to do.
    let message: String

    init(_ place: SourcePlace, _ message: String) {
        self.place = place
        self.message = message
    }

    /// `file:line: error: message`, which editors and Xcode can jump to.
    var description: String { "\(place.file):\(place.line): error: \(message)" }

    static func < (left: Self, right: Self) -> Bool {
        (left.place.file, left.place.line, left.message) < (right.place.file, right.place.line, right.message)
    }
}
