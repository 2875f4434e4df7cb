internal import JSONLines
internal import JSONSchema
internal import Primitives

extension ValueMaker {
    /// The maximum size of arrays and objects.
    private static let mostParts = 100_000

    func writeArray(_ shape: Shape, draw: inout Draw, to json: inout JSONWriter) throws(GenerationFailure) {
        guard let array = shape.array else { return }
        guard array.minimum <= Self.mostParts else {
            throw GenerationFailure(
                location: shape.location, reason: "its arrays need more than \(Self.mostParts) elements")
        }
        let outer = draw.example
        defer { draw.example = outer }
        draw.example = nil
        let wanted = max(array.minimum, draw.isDeep ? 0 : array.prefix.count)
        let more = draw.isDeep ? 0 : draw.random.falling(to: max(3 - draw.depth / 2, 1), percent: 60)
        let count = min(array.maximum, wanted + more)
        let numbers = elements(of: array, count: count, random: &draw.random)
        var seen: Set<[UInt8]> = []
        json.beginArray()
        var written = 0
        for number in numbers {
            let mark = json.mark
            var tries = 0
            while true {
                let start = json.count
                try make(number, draw: &draw, to: &json)
                guard array.isUnique else { break }
                let value = json.withUnsafeBytes { Array($0[start...]) }
                if seen.insert(value.first == UInt8(ascii: ",") ? Array(value.dropFirst()) : value).inserted { break }
                json.rewind(to: mark)
                tries += 1
                guard tries < 50 else { break }
            }
            if tries == 50 {
                // Every possible element may already be in the array.
                if written >= array.minimum { break }
                throw GenerationFailure(location: shape.location, reason: "there are not enough different elements")
            }
            written += 1
        }
        json.endArray()
    }

    /// Returns the shapes of `count` elements, with the required ones at random positions.
    private func elements(of array: ArrayShape, count: Int, random: inout SplitMix64) -> [Int] {
        var numbers = (0..<count).map { $0 < array.prefix.count ? array.prefix[$0] : array.rest }
        for (schema, minimum) in array.contained {
            var free = Array(0..<count)
            for _ in 0..<min(minimum, count) {
                let location = free.remove(at: random.below(free.count))
                var demand = location < array.prefix.count ? array.prefixDemands[location] : array.restDemand
                demand.schemas.append(schema)
                numbers[location] = table.number(of: demand)
            }
        }
        return numbers
    }

    func writeObject(_ shape: Shape, draw: inout Draw, to json: inout JSONWriter) throws(GenerationFailure) {
        guard let object = shape.object else { return }
        guard object.minimum <= Self.mostParts else {
            throw GenerationFailure(
                location: shape.location, reason: "its objects need more than \(Self.mostParts) members")
        }
        let outer = draw.example
        defer { draw.example = outer }
        if outer == nil, object.examples > 0, draw.random.happens(75) {
            draw.example = draw.random.below(object.examples)
        }
        let isThere = presence(object, &draw)
        json.beginObject()
        var count = 0
        for (member, isThere) in zip(object.members, isThere) where isThere {
            let mark = json.mark
            json.key(member.key)
            do throws(GenerationFailure) {
                try make(member.shape, draw: &draw, to: &json)
                count += 1
            } catch {
                guard !member.isRequired else { throw error }
                json.rewind(to: mark)
            }
        }
        if let others = object.others {
            let usual = draw.isDeep ? 0 : draw.random.below(others.usual + 1)
            let wanted = min(max(usual, object.minimum - count), object.maximum - count)
            if wanted > 0 {
                try writeOthers(others, count: wanted, mustBe: object.minimum - count, draw: &draw, to: &json)
            }
        } else if count < object.minimum {
            throw GenerationFailure(
                location: shape.location, reason: "fewer than \(object.minimum) members can be generated")
        }
        json.endObject()
    }

    /// Selects the members that are present.
    private func presence(_ object: ObjectShape, _ draw: inout Draw) -> [Bool] {
        var isThere = object.members.map { member in
            if member.isRequired { return true }
            if draw.isDeep { return false }
            if let example = draw.example, example < member.isInExample.count { return member.isInExample[example] }
            return draw.random.happens(65)
        }
        if object.minimum == 0, object.maximum == .max, object.dependencies.isEmpty { return isThere }
        var optional = object.members.indices.filter { !object.members[$0].isRequired }
        var count = isThere.reduce(0) { $0 + ($1 ? 1 : 0) }
        while !optional.isEmpty, count < object.minimum || count > object.maximum {
            let member = optional.remove(at: draw.random.below(optional.count))
            guard isThere[member] == (count > object.maximum) else { continue }
            isThere[member].toggle()
            count += isThere[member] ? 1 : -1
        }
        // Add the members that others require; remove members whose requirements are impossible.
        for _ in object.members {
            for (member, needed) in object.dependencies where isThere[member] {
                if needed < 0 { isThere[member] = object.members[member].isRequired } else { isThere[needed] = true }
            }
        }
        return isThere
    }

    private func writeOthers(
        _ others: OtherMembers, count: Int, mustBe: Int, draw: inout Draw, to json: inout JSONWriter
    ) throws(GenerationFailure) {
        var taken = others.taken
        var written = 0
        var tries = 0
        draw.example = nil
        while written < count, tries < 20 + 4 * count {
            tries += 1
            guard let name = try name(others, number: tries, &draw), !taken.contains(name) else { continue }
            let shape = table.number(of: table.demand(of: name, others))
            let mark = json.mark
            json.key(String(decoding: name, as: UTF8.self))
            do throws(GenerationFailure) {
                try make(shape, draw: &draw, to: &json)
                taken.insert(name)
                written += 1
            } catch {
                json.rewind(to: mark)
            }
        }
        if written < mustBe {
            throw GenerationFailure(
                location: others.location, reason: "not enough names can be generated for its members")
        }
    }

    /// Returns a name for an unnamed member; nil if this attempt failed.
    private func name(_ others: OtherMembers, number: Int, _ draw: inout Draw) throws(GenerationFailure) -> [UInt8]? {
        if let names = others.names {
            var json = JSONWriter()
            try make(names, draw: &draw, to: &json)
            let text = JSONValue(validating: json.bytes)  // A value that is not a string cannot be a name.
            guard case .string(let name)? = text else { return nil }
            return Array(name.utf8)
        }
        if let pattern = draw.random.one(of: others.patterns) {
            return pattern.sample(rounds: 0...6) { draw.random.below($0) }
        }
        if let example = draw.random.one(of: others.examples), draw.random.happens(70) { return example }
        let word = WordLists.memberNames[draw.random.below(WordLists.memberNames.count)]
        return Array((number > 20 ? "\(word)_\(number)" : word).utf8)
    }
}
