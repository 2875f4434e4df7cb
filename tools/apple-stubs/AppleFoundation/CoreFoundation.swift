public import Foundation

public typealias CFTypeID = UInt

private func isBoolean(_ object: AnyObject) -> Bool {
    object === NSNumber(value: true) || object === NSNumber(value: false)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFGetTypeID(_ object: AnyObject) -> CFTypeID { isBoolean(object) ? CFBooleanGetTypeID() : 22 }

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFBooleanGetTypeID() -> CFTypeID { 21 }

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFNumberIsFloatType(_ number: NSNumber) -> Bool { number.doubleValue != number.doubleValue.rounded() }
