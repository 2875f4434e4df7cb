public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiviewcontroller>
@MainActor
open class UIViewController: UIResponder {
    /// How often UIKit's own implementation has been called; a test asks.
    public private(set) var appearances = 0

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/title>
    open var title: String?
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/navigationitem>
    public let navigationItem = UINavigationItem()

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)>
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/init(coder:)>
    public required init?(coder: NSCoder) {}

    /// Without a nib.
    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidappear(_:)>
    open func viewDidAppear(_ animated: Bool) { appearances += 1 }
}

/// <https://developer.apple.com/documentation/uikit/uinavigationcontroller>
@MainActor
open class UINavigationController: UIViewController {
    /// <https://developer.apple.com/documentation/uikit/uinavigationcontroller/viewcontrollers>
    open var viewControllers: [UIViewController] = []

    /// <https://developer.apple.com/documentation/uikit/uinavigationcontroller/init(rootviewcontroller:)>
    public init(rootViewController: UIViewController) {
        viewControllers = [rootViewController]
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
