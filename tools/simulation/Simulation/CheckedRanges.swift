import Primitives

typealias Ranges = [ClosedRange<Int64>]

extension ClosedRange<Int64> {
    var length: Int64 { upperBound - lowerBound + 1 }
}

extension Ranges {
    var length: Int64 { reduce(0) { $0 + $1.length } }
}

/// `NumberRanges` with its invariants checked at each operation.
struct CheckedRanges {
    enum Failure: Error {
        case notNormal(Ranges)
        case notConserved(String, Ranges, Ranges, Ranges)
    }

    var checks = Checks()
    private let fault: Fault?

    init(_ fault: Fault?) { self.fault = fault }

    /// Checks that ranges are in order, disjoint, not adjacent, and within limits.
    mutating func checkNormal(_ ranges: Ranges, through highest: Int64 = .max) throws {
        checks.count(.normalRanges)
        var last: Int64 = -1
        for range in ranges {
            guard range.lowerBound > last + 1, range.lowerBound >= 1 else { throw Failure.notNormal(ranges) }
            last = range.upperBound
        }
        guard last <= highest else { throw Failure.notNormal(ranges) }
    }

    /// The union of two lists.
    mutating func union(_ left: Ranges, _ right: Ranges) throws -> Ranges {
        if left.isEmpty, right.isEmpty { return [] }
        let result = merge(left + right)
        try checkNormal(result)
        let common = NumberRanges.common(left, right)
        try conserve("union", left, right, result.length + common.length == left.length + right.length)
        return result
    }

    /// The numbers of `left` that are not in `right`.
    mutating func difference(_ left: Ranges, _ right: Ranges) throws -> Ranges {
        if left.isEmpty { return [] }
        let result = NumberRanges.difference(left, right)
        try checkNormal(result)
        let common = NumberRanges.common(left, right)
        try conserve("difference", left, right, result.length + common.length == left.length)
        return result
    }

    /// The numbers in both.
    mutating func common(_ left: Ranges, _ right: Ranges) throws -> Ranges {
        if left.isEmpty || right.isEmpty { return [] }
        let result = NumberRanges.common(left, right)
        try checkNormal(result)
        let rest = NumberRanges.difference(left, right)
        try conserve("intersection", left, right, result.length + rest.length == left.length)
        return result
    }

    private mutating func conserve(_ name: String, _ left: Ranges, _ right: Ranges, _ isConserved: Bool) throws {
        checks.operations += 1
        checks.count(.conservedCounts)
        guard isConserved else {
            throw Failure.notConserved(name, left, right, NumberRanges.union(left + right))
        }
    }

    /// `NumberRanges.union`, with the errors that can be planted.
    private func merge(_ ranges: Ranges) -> Ranges {
        let reach: Int64
        switch fault {
        case .unmergedNeighbors: reach = 0
        case .mergedHoles: reach = 2
        default: return NumberRanges.union(ranges)
        }
        return ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { union, range in
            if let last = union.last, range.lowerBound <= last.upperBound + reach {
                union[union.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                union.append(range)
            }
        }
    }
}
