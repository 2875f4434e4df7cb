/// A random number generator with reproducible results on every machine: SplitMix64 (Steele, Lea, Flood 2014).
///
/// The standard library may change how it uses a generator. Use the methods of this type for results that must never
/// change.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes a generator; equal seeds give equal numbers.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number that depends on every bit of `value`.
    package static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SplitMix64 {
    /// A number from 0 to below `limit`, uniform up to a bias of 1 in 2^64/limit; 0 if `limit` is 0.
    @inline(__always)
    package mutating func below(_ limit: UInt64) -> UInt64 { next().multipliedFullWidth(by: limit).high }

    /// A number from 0 to below `limit`; 0 if `limit` is not positive.
    @inline(__always)
    package mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(below(UInt64(limit))) : 0 }

    /// True with the given probability in percent.
    @inline(__always)
    package mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// A random element; nil if the collection is empty.
    @inline(__always)
    package mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// A number from 0 to `last`, with decreasing probability: each next number is half as likely if `percent` is 50.
    package mutating func falling(to last: Int, percent: Int) -> Int {
        var number = 0
        while number < last, happens(percent) { number += 1 }
        return number
    }
}
