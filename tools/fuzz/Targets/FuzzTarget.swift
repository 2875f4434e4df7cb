/// One part of the library that must take any bytes: what is done with them, and what must hold.
///
/// libFuzzer and the tests call the same functions: the one with bytes that it makes up, the others with seeds and with
/// stored cases.
package protocol FuzzTarget: AnyObject {
    /// The name on the command line.
    static var name: String { get }

    /// Gets ready: compiles schemas, opens files.
    init() throws

    /// Inputs to start from.
    func seeds() throws -> [[UInt8]]

    /// Does the work with these bytes; ends the process on a trap.
    ///
    /// - Throws: ``FuzzIssue`` if something does not hold that must.
    func run(_ bytes: UnsafeRawBufferPointer) throws
}

/// Something that must hold for all bytes does not hold for these.
package struct FuzzIssue: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Makes sure that something holds.
func require(_ holds: Bool, _ issue: @autoclosure () -> String) throws {
    guard holds else { throw FuzzIssue(issue()) }
}
