internal import EventModel
internal import JSONLines

extension EventPath {
    /// The value in a tree, if there is one.
    func value(in tree: JSONValue) -> JSONValue? {
        var value = tree
        for step in steps {
            let next: JSONValue?
            switch (step, value) {
            case (.name(let name), .object(let members)): next = members[String(decoding: name, as: UTF8.self)]
            case (.element(let place), .array(let elements)):
                next = elements.indices.contains(place) ? elements[place] : nil
            default: next = nil
            }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}
