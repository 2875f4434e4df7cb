// UIKit brings Foundation, here with what Apple adds to it.
@_exported public import AppleFoundation
@_exported public import Foundation
