package import JSONSchema

/// The pages of an app: what `pages.json`, next to `events/`, lists in its member `x-pages`.
///
/// ```json
/// {
///   "x-pages": {
///     "basket": { "description": "What the user is about to buy." },
///     "article": {
///       "description": "One article.",
///       "additional": { "label": "url", "description": "The article's address.", "x-pii": false }
///     }
///   }
/// }
/// ```
///
/// A plan without the file says nothing about pages, and no page is checked.
public struct PlannedPages: Hashable, Sendable {
    /// The path of the file within the folder of a plan.
    public static let path = "pages.json"
    /// The event whose property `page` names a page.
    public static let eventName = "page-view"

    /// The pages, in the order of the file.
    public let pages: [PlannedPage]
    /// The name of the generated enum.
    package let typeName: String

    /// The page of that name; nil if the plan doesn't have it.
    public subscript(name: String) -> PlannedPage? { pages.first { $0.name == name } }

    init(_ pages: [PlannedPage], typeName: String) { (self.pages, self.typeName) = (pages, typeName) }

    /// The name of the generated enum if `x-swift-name` doesn't give another.
    package static let defaultTypeName = "Page"
}

/// A page of an app.
public struct PlannedPage: Hashable, Sendable {
    /// What `page-view` carries with the page's name.
    public struct Additional: Hashable, Sendable {
        /// What the value is called: the label of the generated case.
        public let label: String
        /// What the value is.
        public let description: String
        /// Whether every page view of the page carries the value.
        public let isRequired: Bool
        /// Whether the value is personal.
        public let isPersonal: Bool
    }

    /// The name on the wire, in kebab-case.
    public let name: String
    /// What the page shows.
    public let description: String
    /// What a page view carries in addition; nil for nothing.
    public let additional: Additional?
    /// Whether no screen shows the page any more. Its lines stay valid, and no case is generated.
    public let isDeprecated: Bool
    /// What `x-swift-name` says; nil if it is absent.
    package let givenSwiftName: String?

    /// The name of the generated case.
    package var swiftName: String { givenSwiftName ?? SwiftName.member(name) ?? name }
}

/// One place where `pages.json` isn't a list of pages, or `unplanned.json` none of events.
package struct PlannedPagesIssue: Hashable, Sendable {
    /// Where in the file, in bytes from its start.
    package let offset: Int
    /// The way to the value.
    package let pointer: JSONPointer
    /// What is wrong and what to do.
    package let message: String

    package init(offset: Int, pointer: JSONPointer, message: String) {
        (self.offset, self.pointer, self.message) = (offset, pointer, message)
    }

    /// `/x-pages/basket/description: write a text`.
    package var description: String { pointer.tokens.isEmpty ? message : "\(pointer): \(message)" }
}
