public import Foundation

/// <https://developer.apple.com/documentation/corefoundation/cftypeid>
public typealias CFTypeID = UInt

private func isBoolean(_ object: AnyObject) -> Bool {
    object === NSNumber(value: true) || object === NSNumber(value: false)
}

/// <https://developer.apple.com/documentation/corefoundation/cfgettypeid(_:)>
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFGetTypeID(_ object: AnyObject) -> CFTypeID { isBoolean(object) ? CFBooleanGetTypeID() : 22 }

/// <https://developer.apple.com/documentation/corefoundation/cfbooleangettypeid()>
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFBooleanGetTypeID() -> CFTypeID { 21 }

/// <https://developer.apple.com/documentation/corefoundation/cfnumberisfloattype(_:)>
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFNumberIsFloatType(_ number: NSNumber) -> Bool { number.doubleValue != number.doubleValue.rounded() }
