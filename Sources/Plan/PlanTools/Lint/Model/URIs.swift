internal import Foundation

/// References between schemas.
enum URIs {
    /// A reference as an absolute URI without its fragment; the base itself where it is nil or only a fragment.
    static func resolve(_ reference: String?, against base: String) -> String {
        let reference = split(reference ?? "").uri
        guard !reference.isEmpty, let url = URL(string: reference, relativeTo: URL(string: base)) else { return base }
        return url.absoluteString
    }

    /// A reference before and after its `#`; the fragment is decoded.
    static func split(_ reference: String) -> (uri: String, fragment: String) {
        guard let hash = reference.firstIndex(of: "#") else { return (reference, "") }
        let fragment = String(reference[reference.index(after: hash)...])
        return (String(reference[..<hash]), fragment.removingPercentEncoding ?? fragment)
    }

    /// A pointer as the fragment of a URI.
    static func fragment(_ pointer: String) -> String {
        "#" + (pointer.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? pointer)
    }
}
