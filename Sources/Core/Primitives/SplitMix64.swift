/// Chance that a seed repeats, on every machine: SplitMix64 (Steele, Lea, Flood 2014).
///
/// What the standard library draws from a generator may change with its version: whoever needs the same bytes for ever
/// draws with the methods here.
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
    /// A number from 0 to below `limit`, each as likely as the others but for 1 in 2^64/limit; 0 if there is none.
    @inline(__always)
    package mutating func below(_ limit: UInt64) -> UInt64 { next().multipliedFullWidth(by: limit).high }

    /// A number from 0 to below `limit`; 0 if there is none.
    @inline(__always)
    package mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(below(UInt64(limit))) : 0 }

    /// True in so many of 100 cases.
    @inline(__always)
    package mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// One of the elements; nil if there is none.
    @inline(__always)
    package mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// A number from 0 to `last`; small ones are likelier, each next one by half if `percent` is 50.
    package mutating func falling(to last: Int, percent: Int) -> Int {
        var number = 0
        while number < last, happens(percent) { number += 1 }
        return number
    }
}
