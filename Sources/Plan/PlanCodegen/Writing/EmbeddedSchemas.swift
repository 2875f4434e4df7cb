internal import JSONSchema
internal import TrackingPlan

/// Writes schemas as Swift string literals, byte for byte.
enum EmbeddedSchemas {
    /// Returns the file that embeds the schemas of `TrackingPlan` or of an optional set, in a type named like the file.
    static func file(_ schemas: [PlanSchema], named name: String) throws(CodegenError) -> GeneratedFile {
        let type = name.hasSuffix(".swift") ? String(name.dropLast(6)) : name
        let isSet = !schemas.contains { $0.name == PlanSchema.containerName }
        var text = """
            // swift-format-ignore-file
            \(EventWriter.mark)the SDK's schemas. Do not edit.

            /// The schemas of \(isSet ? "an optional set" : "the container and of the standard events"), byte for byte.
            enum \(type) {
                static let files: [(path: String, text: String)] = [

            """
        for schema in schemas {
            let content = String(decoding: schema.document.bytes, as: UTF8.self)
            guard !content.unicodeScalars.contains("\r") else {
                throw CodegenError(.schemas, "\(schema.path): replace CR LF line endings by LF")
            }
            let fence = String(repeating: "#", count: longestFence(content) + 1)
            text += "(\"\(schema.path)\", \(fence)\"\"\"\n\(content)\n\"\"\"\(fence)),\n"
        }
        text += "    ]\n}\n"
        return GeneratedFile(name: name, text: text)
    }

    /// Returns the longest run of number signs after three quotes or a backslash.
    private static func longestFence(_ text: String) -> Int {
        var longest = 0
        var current: Int?
        var quotes = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""):
                quotes += 1
                current = quotes >= 3 ? 0 : nil
            case UInt8(ascii: "\\"):
                quotes = 0
                current = 0
            case UInt8(ascii: "#"):
                quotes = 0
                current = current.map { $0 + 1 }
            default:
                quotes = 0
                current = nil
            }
            longest = max(longest, current ?? 0)
        }
        return longest
    }
}
