import Foundation

/// A value that encodes itself in a way that its seed determines: the same in each run, in any form that `Encodable`
/// allows. Fills containers alternately, stores them late, and requests them twice.
struct RandomEncodable: Encodable {
    let seed: UInt64
    let depth: Int
    /// Whether a container is finished before the next is requested, as in synthesized conformances.
    let isInOrder: Bool

    func encode(to encoder: any Encoder) throws {
        var random = SeededGenerator(state: seed)
        switch Int.random(in: 0...(depth > 0 ? 7 : 1), using: &random) {
        case 0, 1:
            var container = encoder.singleValueContainer()
            try RandomScalar.any(using: &random).encode(into: &container)
        case 2:
            var container = encoder.singleValueContainer()
            try container.encode(child(using: &random))
        case 3:
            var container = encoder.singleValueContainer()
            let names = Set((0..<4).map { _ in RandomScalar.text(using: &random) })
            var members: [String: RandomEncodable] = [:]
            for name in names.sorted() { members[name] = child(using: &random) }
            try container.encode(members)
        case 4: try fillArray(encoder, using: &random)
        default: try fillObject(encoder, using: &random)
        }
    }

    private func child(using random: inout SeededGenerator) -> Self {
        Self(seed: random.next(), depth: depth - 1, isInOrder: isInOrder)
    }

    private func fillObject(_ encoder: any Encoder, using random: inout SeededGenerator) throws {
        var objects = [Object(container: encoder.container(keyedBy: AnyKey.self))]
        var arrays: [any UnkeyedEncodingContainer] = []
        var late: [any Encoder] = []
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            if !isInOrder, !arrays.isEmpty, Bool.random(using: &random) {
                let index = Int.random(in: arrays.indices, using: &random)
                try fill(&arrays[index], &objects, using: &random)
                continue
            }
            let index = isInOrder ? objects.count - 1 : Int.random(in: objects.indices, using: &random)
            let key = objects[index].newKey(using: &random)
            switch Int.random(in: 0...9, using: &random) {
            case 0 where objects.count < depth:
                let nested = objects[index].container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                objects.append(Object(container: nested))
            case 1: arrays.append(objects[index].container.nestedUnkeyedContainer(forKey: key))
            case 2:
                let nested = objects[index].container.superEncoder(forKey: key)
                if isInOrder { try child(using: &random).encode(to: nested) } else { late.append(nested) }
            case 3 where !objects[index].hasSuper:
                objects[index].hasSuper = true
                try child(using: &random).encode(to: objects[index].container.superEncoder())
            case 4 where index == 0 && objects.count == 1:
                // Like a subclass that encodes next to its superclass.
                objects[0].container = encoder.container(keyedBy: AnyKey.self)
            case 5, 6: try objects[index].container.encode(child(using: &random), forKey: key)
            case 7 where !isInOrder:
                let old = objects[index].scalars.randomElement(using: &random) ?? key
                try RandomScalar.any(using: &random).encode(into: &objects[index].container, for: old)
            default:
                objects[index].scalars.append(key)
                try RandomScalar.any(using: &random).encode(into: &objects[index].container, for: key)
            }
        }
        for encoder in late { try child(using: &random).encode(to: encoder) }
    }

    private func fillArray(_ encoder: any Encoder, using random: inout SeededGenerator) throws {
        var array = encoder.unkeyedContainer()
        var objects: [Object] = []
        for _ in 0..<Int.random(in: 0...8, using: &random) { try fill(&array, &objects, using: &random) }
        guard !isInOrder else { return }
        for index in objects.indices {
            try RandomScalar.any(using: &random).encode(into: &objects[index].container, for: AnyKey("late"))
        }
    }

    private func fill(
        _ array: inout any UnkeyedEncodingContainer, _ objects: inout [Object], using random: inout SeededGenerator
    ) throws {
        let count = array.count
        switch Int.random(in: 0...7, using: &random) {
        case 0:
            var object = Object(container: array.nestedContainer(keyedBy: AnyKey.self))
            let key = object.newKey(using: &random)
            try RandomScalar.any(using: &random).encode(into: &object.container, for: key)
            if !isInOrder { objects.append(object) }
        case 1:
            var nested = array.nestedUnkeyedContainer()
            try RandomScalar.any(using: &random).encode(into: &nested)
        case 2: try child(using: &random).encode(to: array.superEncoder())
        case 3,
            4 where depth > 0:
            try array.encode(child(using: &random))
        default: try RandomScalar.any(using: &random).encode(into: &array)
        }
        guard array.count == count + 1 else { throw CocoaError(.coderInvalidValue) }
    }

    private struct Object {
        var container: KeyedEncodingContainer<AnyKey>
        var scalars: [AnyKey] = []
        var hasSuper = false
        var count = 0

        init(container: KeyedEncodingContainer<AnyKey>) { self.container = container }

        mutating func newKey(using random: inout SeededGenerator) -> AnyKey {
            count += 1
            return AnyKey("\(count)\(RandomScalar.text(using: &random))\(random.next() % 1000)")
        }
    }
}

struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { return nil }
}

/// A value without members, through the container's own method for its type.
enum RandomScalar {
    case null, bool(Bool), string(String), double(Double), float(Float), date(Date), url(URL), data(Data)
    case decimal(Decimal), optional(Int?), strings([String]), numbers([Double]), set(Set<Int>)
    case int(Int), int8(Int8), int16(Int16), int32(Int32), int64(Int64)
    case uint(UInt), uint8(UInt8), uint16(UInt16), uint32(UInt32), uint64(UInt64)

    static func any(using random: inout SeededGenerator) -> Self {
        let bits = random.next() >> UInt64.random(in: 0...63, using: &random)
        let isExtreme = Int.random(in: 0...7, using: &random) == 0
        switch Int.random(in: 0...22, using: &random) {
        case 0: return .null
        case 1: return .bool(bits.isMultiple(of: 2))
        case 2, 3: return .string(text(using: &random))
        case 4: return .double(double(using: &random))
        case 5: return .double(Double(Int32(truncatingIfNeeded: bits)) / 100)
        case 6:
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            return .float(float.isFinite ? float : .greatestFiniteMagnitude)
        case 7: return .date(Date(timeIntervalSince1970: Double(Int32(truncatingIfNeeded: bits)) / 4))
        case 8: return .url(URL(string: "https://example.org/a/\(bits)?b=c#d") ?? URL(filePath: "/"))
        case 9: return .data(Data((0..<Int(bits % 9)).map { UInt8($0 * 31) }))
        case 10: return .decimal(Decimal(bits) / 1000)
        case 11: return .optional(bits.isMultiple(of: 2) ? nil : 5)
        case 12: return .strings((0..<3).map { _ in text(using: &random) })
        case 13: return .numbers((0..<Int(bits % 4)).map { _ in double(using: &random) })
        case 14: return .int(isExtreme ? .min : Int(truncatingIfNeeded: bits))
        case 15: return .int8(isExtreme ? .min : Int8(truncatingIfNeeded: bits))
        case 16: return .int16(isExtreme ? .max : Int16(truncatingIfNeeded: bits))
        case 17: return .int32(isExtreme ? .min : Int32(truncatingIfNeeded: bits))
        case 18: return .int64(isExtreme ? .max : Int64(truncatingIfNeeded: bits))
        case 19: return .uint(isExtreme ? .max : UInt(bits))
        case 20: return isExtreme ? .uint8(.max) : .uint16(UInt16(truncatingIfNeeded: bits))
        case 21: return .uint32(isExtreme ? .max : UInt32(truncatingIfNeeded: bits))
        default: return .uint64(isExtreme ? .max : bits)
        }
    }

    static func double(using random: inout SeededGenerator) -> Double {
        let extremes = [
            0, -0.0, .greatestFiniteMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, .pi, 0x1p53, 0x1p63,
            1e21, 1e-5, 0.0001, 999_999_999.000001, 1e15 + 0.5, 123_456.7,
        ]
        let value = Double(bitPattern: random.next())
        guard value.isFinite, Int.random(in: 0...3, using: &random) > 0 else {
            return extremes.randomElement(using: &random) ?? 0
        }
        return value
    }

    static func text(using random: inout SeededGenerator) -> String {
        let limits: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0...0x1F, 0x22...0x22, 0x5C...0x5C, 0x80...0xFFFF, 0...0x10FFFF,
        ]
        let longest = Int.random(in: 0...3, using: &random) == 0 ? 40 : 5
        let scalars = (0..<Int.random(in: 0...longest, using: &random)).compactMap { _ in
            let range = Int.random(in: 0...9, using: &random)
            return Unicode.Scalar(UInt32.random(in: limits[range < limits.count ? range : 0], using: &random))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension RandomScalar {
    func encode(into container: inout KeyedEncodingContainer<AnyKey>, for key: AnyKey) throws {
        switch self {
        case .null: try container.encodeNil(forKey: key)
        case .bool(let value): try container.encode(value, forKey: key)
        case .string(let value): try container.encode(value, forKey: key)
        case .double(let value): try container.encode(value, forKey: key)
        case .float(let value): try container.encode(value, forKey: key)
        case .date(let value): try container.encode(value, forKey: key)
        case .url(let value): try container.encode(value, forKey: key)
        case .data(let value): try container.encode(value, forKey: key)
        case .decimal(let value): try container.encode(value, forKey: key)
        case .optional(let value): try container.encodeIfPresent(value, forKey: key)
        case .strings(let value): try container.encode(value, forKey: key)
        case .numbers(let value): try container.encode(value, forKey: key)
        case .set(let value): try container.encode(value, forKey: key)
        case .int(let value): try container.encode(value, forKey: key)
        case .int8(let value): try container.encode(value, forKey: key)
        case .int16(let value): try container.encode(value, forKey: key)
        case .int32(let value): try container.encode(value, forKey: key)
        case .int64(let value): try container.encode(value, forKey: key)
        case .uint(let value): try container.encode(value, forKey: key)
        case .uint8(let value): try container.encode(value, forKey: key)
        case .uint16(let value): try container.encode(value, forKey: key)
        case .uint32(let value): try container.encode(value, forKey: key)
        case .uint64(let value): try container.encode(value, forKey: key)
        }
    }

    func encode(into container: inout any UnkeyedEncodingContainer) throws {
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .float(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .url(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .optional(let value): try container.encode(value)
        case .strings(let value): try container.encode(value)
        case .numbers(let value): try container.encode(value)
        case .set(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .int8(let value): try container.encode(value)
        case .int16(let value): try container.encode(value)
        case .int32(let value): try container.encode(value)
        case .int64(let value): try container.encode(value)
        case .uint(let value): try container.encode(value)
        case .uint8(let value): try container.encode(value)
        case .uint16(let value): try container.encode(value)
        case .uint32(let value): try container.encode(value)
        case .uint64(let value): try container.encode(value)
        }
    }

    func encode(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .float(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .url(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .optional(let value): try container.encode(value)
        case .strings(let value): try container.encode(value)
        case .numbers(let value): try container.encode(value)
        case .set(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .int8(let value): try container.encode(value)
        case .int16(let value): try container.encode(value)
        case .int32(let value): try container.encode(value)
        case .int64(let value): try container.encode(value)
        case .uint(let value): try container.encode(value)
        case .uint8(let value): try container.encode(value)
        case .uint16(let value): try container.encode(value)
        case .uint32(let value): try container.encode(value)
        case .uint64(let value): try container.encode(value)
        }
    }
}
