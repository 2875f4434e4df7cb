internal import Foundation
internal import JSONLines

#if APPLE_STUBS
    internal import AppleFoundation
#endif

extension Tracker {
    /// Sends `notification` with the `userInfo` of a notification framework, unchanged.
    ///
    /// If `userInfo` has values that JSON can't represent (dates, data, keys that are not strings), the event is
    /// dropped and counted as ``/EventLog/DropReason/encoding``.
    @discardableResult
    public func sendNotification(identifier: String, userInfo: [AnyHashable: Any]) -> TrackingReceipt? {
        guard case .object(let members) = JSONValue(userInfo: userInfo) else {
            return domain.actionCreator.drop(NotificationResponse(identifier: identifier, userInfo: [:]), .encoding)
        }
        return send(.notification(identifier: identifier, userInfo: members))
    }
}

extension JSONValue {
    /// Makes a value from a property list value, or from JSON that Foundation has parsed. Returns nil if JSON can't
    /// represent it.
    package init?(userInfo value: Any) {
        switch value {
        case is NSNull: self = .null
        case let value as String: self = .string(value)
        case let values as [Any]:
            let elements = values.compactMap { JSONValue(userInfo: $0) }
            guard elements.count == values.count else { return nil }
            self = .array(elements)
        case let values as [AnyHashable: Any]:
            var members: [String: JSONValue] = [:]
            for (key, value) in values {
                guard let name = key as? String, let member = JSONValue(userInfo: value) else { return nil }
                members[name] = member
            }
            self = .object(members)
        default: self.init(scalar: value)
        }
    }

    private init?(scalar value: Any) {
        #if canImport(Darwin) || APPLE_STUBS
            // Here every number and Bool is an NSNumber, and 0 and 1 would also cast to Bool.
            guard let number = value as? NSNumber else { return nil }
            if CFGetTypeID(number) == CFBooleanGetTypeID() {
                self = .bool(number.boolValue)
            } else if CFNumberIsFloatType(number) {
                self = .number(number.doubleValue)
            } else {
                guard let integer = Int64(exactly: number) else { return nil }
                self = .integer(integer)
            }
        #else
            switch value {
            case let value as Bool: self = .bool(value)
            case let value as any BinaryInteger:
                guard let integer = Int64(exactly: value) else { return nil }
                self = .integer(integer)
            case let value as Double: self = .number(value)
            default: return nil
            }
        #endif
    }
}
