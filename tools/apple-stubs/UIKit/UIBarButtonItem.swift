public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiaction>
@MainActor
open class UIAction: NSObject {
    /// <https://developer.apple.com/documentation/uikit/uiactionhandler>
    public typealias Handler = (UIAction) -> Void

    private let handler: Handler

    /// <https://developer.apple.com/documentation/uikit/uiaction/init(title:subtitle:image:selectedimage:identifier:discoverabilitytitle:attributes:state:handler:)>
    public init(title: String = "", handler: @escaping Handler) { self.handler = handler }

    /// <https://developer.apple.com/documentation/uikit/uimenuleaf/performwithsender(_:target:)>
    public func performWithSender(_ sender: Any?, target: Any?) { handler(self) }
}

/// <https://developer.apple.com/documentation/uikit/uibarbuttonitem>
@MainActor
open class UIBarButtonItem: NSObject {
    /// <https://developer.apple.com/documentation/uikit/uibaritem/title>
    open var title: String?
    /// <https://developer.apple.com/documentation/uikit/uibarbuttonitem/primaryaction>
    open var primaryAction: UIAction?

    /// <https://developer.apple.com/documentation/uikit/uibarbuttonitem/init(title:image:primaryaction:menu:)>
    public init(title: String? = nil, primaryAction: UIAction? = nil) {
        (self.title, self.primaryAction) = (title, primaryAction)
    }
}

/// <https://developer.apple.com/documentation/uikit/uinavigationitem>
@MainActor
open class UINavigationItem: NSObject {
    /// <https://developer.apple.com/documentation/uikit/uinavigationitem/rightbarbuttonitems>
    open var rightBarButtonItems: [UIBarButtonItem]?
}
