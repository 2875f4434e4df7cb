package import JSONSchema

/// The pages of an app, as listed in the member `x-pages` of `pages.json`, next to `events/`.
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
/// If a plan doesn't have the file, pages are not checked.
public struct PlannedPages: Hashable, Sendable {
    /// The path of the file within the folder of a plan.
    public static let path = "pages.json"
    /// The event whose property `page` names a page.
    public static let eventName = "page-view"

    /// The pages, in the order of the file.
    public let pages: [PlannedPage]
    /// The name of the generated enum.
    package let typeName: String

    /// Returns the page with a name; nil if the plan doesn't have it.
    public subscript(name: String) -> PlannedPage? { pages.first { $0.name == name } }

    init(_ pages: [PlannedPage], typeName: String) {
        self.pages = pages
        self.typeName = typeName
    }

    /// The name of the generated enum, unless `x-swift-name` gives another.
    package static let defaultTypeName = "Page"
}

/// A page of an app.
public struct PlannedPage: Hashable, Sendable {
    /// The value that `page-view` carries in addition to the page's name.
    public struct Additional: Hashable, Sendable {
        /// The name of the value, which is the label of the generated case.
        public let label: String
        /// The description of the value.
        public let description: String
        /// Whether every view of the page carries the value.
        public let isRequired: Bool
        /// Whether the value is personal.
        public let isPersonal: Bool
    }

    /// The name on the wire, in kebab-case.
    public let name: String
    /// The content of the page.
    public let description: String
    /// The value that a page view carries in addition; nil if there is none.
    public let additional: Additional?
    /// Whether the app no longer shows the page. Its lines stay valid, and no case is generated.
    public let isDeprecated: Bool
    /// The value of `x-swift-name`; nil if it is absent.
    package let givenSwiftName: String?

    /// The name of the generated case.
    package var swiftName: String { givenSwiftName ?? SwiftName.member(name) ?? name }
}

/// An issue at one location in `pages.json` or `unplanned.json`.
package struct PlannedPagesIssue: Hashable, Sendable {
    /// The offset in the file, in bytes.
    package let offset: Int
    /// The path to the value.
    package let pointer: JSONPointer
    /// The problem and what to do.
    package let message: String

    package init(offset: Int, pointer: JSONPointer, message: String) {
        self.offset = offset
        self.pointer = pointer
        self.message = message
    }

    /// The issue as `/x-pages/basket/description: write a text`.
    package var description: String { pointer.tokens.isEmpty ? message : "\(pointer): \(message)" }
}
