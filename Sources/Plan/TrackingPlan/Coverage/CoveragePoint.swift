/// Something that lines can show of a schema: that a property is there, or that it has one of its values.
package struct CoveragePoint: Hashable, Sendable {
    /// The property as a JSON pointer into the line: `/event/value/page`. `*` stands for every element of an array, and
    /// for every member that the schema does not name.
    package let pointer: String
    /// One of the values that the schema enumerates, as JSON; nil for the property itself.
    package let value: String?

    /// The pointer, and the value behind an equals sign: `/event/value/sort="stars"`.
    package var description: String { value.map { "\(pointer)=\($0)" } ?? pointer }
}
