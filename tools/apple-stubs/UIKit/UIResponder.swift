public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiresponder>
@MainActor
open class UIResponder: NSObject {
    /// <https://developer.apple.com/documentation/objectivec/nsobject-swift.class/init()>
    public override init() { super.init() }
}
