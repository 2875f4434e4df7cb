internal import SwiftSyntax

/// Selects the attributes of a declaration that the double repeats.
enum Attributes {
    private static let kept: Set = ["available", "discardableResult", "Sendable", "concurrent"]

    /// The attributes that name a global actor.
    static func isolation(_ list: AttributeListSyntax) -> [String] { texts(list) { $0.hasSuffix("Actor") } }

    /// The attributes of availability.
    static func availability(_ list: AttributeListSyntax) -> [String] { texts(list) { $0 == "available" } }

    /// The attributes of a member. Others, such as those of result builders, would change the meaning of the double's
    /// code.
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
