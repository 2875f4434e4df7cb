internal import JSONLines

/// Tells whose a line is.
package struct UserMatcher: Sendable {
    /// Whose a line is.
    package enum Verdict: Sendable {
        /// Another user's, without a word of this one.
        case other
        /// Another user's, with this one's id in a name or a value.
        case mention
        /// This user's; or no JSON, with the id in it: nobody can tell whose it is.
        case theirs
    }

    let forms: UserForms
    private let id: String

    /// - Parameter id: The user's id as the app has it. Not empty.
    package init(id: String) {
        self.id = id
        forms = UserForms(id)
    }

    /// Looks at a line, without its line feed.
    ///
    /// - Parameter isRecording: Whether it is an action's: there a string that is the id makes the line the user's.
    func verdict(_ line: UnsafeRawBufferPointer, isRecording: Bool = false) -> Verdict {
        // Most lines: neither the id nor an escape that could stand for a part of it.
        guard line.contains(UInt8(ascii: "\\")) || holds(forms.plain, line) else { return .other }
        guard let json = try? JSONParser.parse(line) else {  // no JSON: only its bytes are left to go by
            return forms.patterns.contains { holds($0, line) } ? .theirs : .other
        }
        if let user = json["user_id"], user == .string(id) || user.integerValue.map(String.init) == id {
            return .theirs
        }
        if isRecording, Self.anyText(json, { $0 == id }) { return .theirs }
        return Self.anyText(json, { forms.isIn($0.utf8) }) ? .mention : .other
    }

    private func holds(_ form: [UInt8], _ line: UnsafeRawBufferPointer) -> Bool {
        ByteSearch.contains(form, in: line, needsBoundaries: forms.needsBoundaries)
    }

    /// Whether any name or text in a value fits.
    private static func anyText(_ value: JSONValue, _ fits: (String) -> Bool) -> Bool {
        switch value {
        case .string(let text): fits(text)
        case .array(let elements): elements.contains { anyText($0, fits) }
        case .object(let members): members.contains { fits($0.key) || anyText($0.value, fits) }
        case .integer(let number): fits(String(number))
        case .null, .bool, .number: false
        }
    }
}
