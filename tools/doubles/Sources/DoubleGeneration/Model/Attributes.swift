internal import SwiftSyntax

/// Which attributes of a declaration go with it into the double.
enum Attributes {
    private static let kept: Set = ["available", "discardableResult", "Sendable", "concurrent"]

    /// Those that say on which global actor something is.
    static func isolation(_ list: AttributeListSyntax) -> [String] { texts(list) { $0.hasSuffix("Actor") } }

    /// Those that say where something is available.
    static func availability(_ list: AttributeListSyntax) -> [String] { texts(list) { $0 == "available" } }

    /// Those of a member. Others, such as those of result builders, would change what the double's code means.
    static func ofMember(_ list: AttributeListSyntax) -> [String] {
        texts(list) { kept.contains($0) || $0.hasSuffix("Actor") }
    }

    private static func texts(_ list: AttributeListSyntax, where isWanted: (String) -> Bool) -> [String] {
        list.compactMap { element in
            guard case .attribute(let attribute) = element else { return nil }
            let name = SourceText.plain(attribute.attributeName)
            return isWanted(name) ? SourceText.plain(attribute) : nil
        }
    }
}
