// UIKit exports Foundation, here with Apple's additions.
@_exported public import AppleFoundation
@_exported public import Foundation
