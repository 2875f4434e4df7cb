package import JSONLines

/// A line of another system.
package struct ForeignLine {
    let bytes: [UInt8]
    /// An object.
    let value: JSONValue

    /// Reads a line without its line feed.
    ///
    /// - Throws: `JSONSyntaxError` if it is no JSON object.
    package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        self.bytes = bytes
        value = try JSONParser.parse(bytes)
        guard case .object = value else { throw JSONSyntaxError(offset: 0, reason: "the line is not an object") }
    }
}
