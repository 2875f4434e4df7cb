/// <https://developer.apple.com/documentation/uikit/uiviewcontroller>
@MainActor
open class UIViewController: UIResponder {
    /// How often UIKit's own implementation has been called; a test asks.
    public private(set) var appearances = 0

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidappear(_:)>
    open func viewDidAppear(_ animated: Bool) { appearances += 1 }
}
