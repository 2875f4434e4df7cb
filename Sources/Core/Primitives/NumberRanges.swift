/// Operations on ranges of numbers that are in order and not adjacent.
package enum NumberRanges {
    /// Converts numbers in order to ranges.
    package static func ranges(of numbers: [Int64]) -> [ClosedRange<Int64>] {
        numbers.reduce(into: []) { ranges, number in
            if let last = ranges.last, last.upperBound == number - 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }

    /// Sorts and merges ranges.
    package static func union(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { union, range in
            if let last = union.last, range.lowerBound <= last.upperBound || range.lowerBound == last.upperBound + 1 {
                union[union.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                union.append(range)
            }
        }
    }

    /// The intersection.
    package static func common(_ left: [ClosedRange<Int64>], _ right: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var common: [ClosedRange<Int64>] = []
        var first = 0
        var second = 0
        while first < left.count, second < right.count {
            let low = max(left[first].lowerBound, right[second].lowerBound)
            let high = min(left[first].upperBound, right[second].upperBound)
            if low <= high { common.append(low...high) }
            if left[first].upperBound < right[second].upperBound { first += 1 } else { second += 1 }
        }
        return common
    }

    /// The numbers in `left` that are not in `right`.
    package static func difference(_ left: [ClosedRange<Int64>], _ right: [ClosedRange<Int64>]) -> [ClosedRange<Int64>]
    {
        var rest: [ClosedRange<Int64>] = []
        var second = 0
        for range in left {
            var next = range.lowerBound
            while second < right.count, right[second].upperBound < next { second += 1 }
            var index = second
            while index < right.count, right[index].lowerBound <= range.upperBound {
                if right[index].lowerBound > next { rest.append(next...right[index].lowerBound - 1) }
                next = right[index].upperBound + 1
                if next > range.upperBound { break }
                index += 1
            }
            if next <= range.upperBound { rest.append(next...range.upperBound) }
        }
        return rest
    }

    /// Whether any of the ranges contains a number. Complexity: O(log ranges).
    package static func contains(_ ranges: [ClosedRange<Int64>], _ number: Int64) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = low + (high - low) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(number)
    }
}
