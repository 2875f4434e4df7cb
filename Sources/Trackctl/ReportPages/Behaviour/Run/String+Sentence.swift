extension String {
    /// The words of a name in code: `testRowTapped_opensDetail()` gives `row tapped, opens detail`, `PostcodeTests` gives
    /// `postcode`. A name in backticks stays as it is.
    var sentence: String {
        if first == "`", let end = dropFirst().firstIndex(of: "`") {
            return String(self[index(after: startIndex)..<end])
        }
        var name = prefix { $0 != "(" }
        if name.hasPrefix("test"), name.dropFirst(4).first?.isUppercase ?? false { name = name.dropFirst(4) }
        for end in ["Tests", "Test", "Suite"] where name.hasSuffix(end) && name.count > end.count {
            name = name.dropLast(end.count)
            break
        }
        return name.split(separator: "_").map(\.words).joined(separator: ", ")
    }

    /// The same with a capital: a heading.
    var title: String { sentence.prefix(1).uppercased() + sentence.dropFirst() }
}

extension Substring {
    /// The words of a name in camel case; one in capitals, such as `URL`, stays one word.
    fileprivate var words: String {
        var words: [Substring] = []
        var start = startIndex
        for index in indices.dropFirst() where self[index].isUppercase {
            let next = self.index(after: index)
            let endsCapitals = next < endIndex && self[next].isLowercase
            guard endsCapitals || !self[self.index(before: index)].isUppercase else { continue }
            words.append(self[start..<index])
            start = index
        }
        words.append(self[start...])
        return words.map { $0.allSatisfy { !$0.isLowercase } && $0.count > 1 ? String($0) : $0.lowercased() }
            .joined(separator: " ")
    }
}
