internal import EventModel
internal import Primitives

/// Texts as a field holds them.
enum Words {
    /// A text for a field.
    ///
    /// - Parameter now: What dates and times lie shortly before.
    static func text(for field: Field, _ chance: inout SplitMix64, now: EventTime) -> String {
        switch field {
        case .link: link("https://" + one(WordLists.hosts, &chance), 1 + chance.below(3), &chance)
        case .host: one(WordLists.hosts, &chance)
        case .email:
            "\(one(WordLists.firstNames, &chance).lowercased()).\(noun(&chance))@\(one(WordLists.hosts, &chance))"
        case .login: "\(noun(&chance))-\(one(WordLists.firstNames, &chance).lowercased())"
        case .firstName: one(WordLists.firstNames, &chance)
        case .lastName: one(WordLists.lastNames, &chance)
        case .fullName: "\(one(WordLists.firstNames, &chance)) \(one(WordLists.lastNames, &chance))"
        case .city: one(WordLists.cities, &chance)
        case .country: one(WordLists.countries, &chance)
        case .language: one(WordLists.languages, &chance)
        case .currency: one(WordLists.currencies, &chance)
        case .address: "\(1 + chance.below(200)) \(one(WordLists.streets, &chance)) Street"
        case .phone: "+1 555 01\(digits(2, &chance))"
        case .query: query(&chance)
        case .title: capitalized("\(adjective(&chance)) \(noun(&chance))")
        case .sentence: sentence(&chance)
        case .screen, .page: one(WordLists.screens, &chance)
        case .status: one(WordLists.statuses, &chance)
        case .category: one(WordLists.categories, &chance)
        case .tag: one(WordLists.tags, &chance)
        case .color: one(WordLists.colors, &chance)
        case .repository: "\(noun(&chance))-\(noun(&chance))"
        case .owner: "\(adjective(&chance))-\(noun(&chance))"
        case .version: version(&chance)
        case .path: "\(noun(&chance))/\(noun(&chance)).\(one(WordLists.suffixes, &chance))"
        case .device: one(WordLists.devices, &chance)
        case .system: one(WordLists.systems, &chance)
        case .app: "\(capitalized(noun(&chance))) \(version(&chance))"
        case .browser: one(WordLists.browsers, &chance)
        case .uuid: uuid(&chance)
        case .identifier: "\(noun(&chance))-\(digits(4, &chance))"
        case .digest: hexadecimal(chance.next(), 16) + hexadecimal(chance.next(), 16) + hexadecimal(chance.next(), 8)
        case .address4: "192.0.2.\(1 + chance.below(254))"
        case .address6: "2001:db8::\(hexadecimal(chance.next(), 4)):\(hexadecimal(chance.next(), 4))"
        case .pointer: "/\(noun(&chance))/\(chance.below(10))"
        case .relativePointer: "\(chance.below(3))/\(noun(&chance))"
        case .expression: "^\(noun(&chance))[0-9]+$"
        case .date: String(past(now, &chance).rfc3339.prefix(10))
        case .time: String(past(now, &chance).rfc3339.dropFirst(11).prefix(8)) + "Z"
        case .dateTime, .seconds: String(past(now, &chance).rfc3339.prefix(19)) + "Z"
        case .duration: "PT\(1 + chance.below(59))M\(chance.below(60))S"
        default: "\(adjective(&chance)) \(noun(&chance))"
        }
    }

    private static func one(_ words: [String], _ chance: inout SplitMix64) -> String {
        words[chance.below(words.count)]
    }

    /// A noun of one word.
    static func noun(_ chance: inout SplitMix64) -> String { one(WordLists.nouns, &chance) }

    private static func adjective(_ chance: inout SplitMix64) -> String { one(WordLists.adjectives, &chance) }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// What people search for: a few topics most of the time, now and then words of their own.
    private static func query(_ chance: inout SplitMix64) -> String {
        if chance.happens(15) { return "\(adjective(&chance)) \(noun(&chance))" }
        // The product of two chances prefers the first ones.
        let place = chance.below(WordLists.topics.count) * chance.below(WordLists.topics.count) / WordLists.topics.count
        return WordLists.topics[place]
    }

    private static func sentence(_ chance: inout SplitMix64) -> String {
        let words = (0..<3 + chance.below(5)).map { $0 % 2 == 0 ? adjective(&chance) : noun(&chance) }
        return capitalized(words.joined(separator: " ")) + "."
    }

    private static func version(_ chance: inout SplitMix64) -> String {
        "\(1 + chance.below(9)).\(chance.below(10))" + (chance.happens(50) ? ".\(chance.below(10))" : "")
    }

    /// A link to so many steps below a host.
    static func link(_ host: String, _ steps: Int, _ chance: inout SplitMix64) -> String {
        var link = host
        for _ in 0..<steps {
            link += "/"
            link += noun(&chance)
        }
        return link
    }

    /// A UUID of version 4 in small letters.
    static func uuid(_ chance: inout SplitMix64) -> String { random(&chance).description }

    /// The bytes of a UUID of version 4.
    static func random(_ chance: inout SplitMix64) -> EventID {
        EventID(high: chance.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, low: chance.next() >> 2 | 1 << 63)
    }

    private static func hexadecimal(_ number: UInt64, _ count: Int) -> String {
        let text = String(number, radix: 16)
        return String((String(repeating: "0", count: 16 - text.utf8.count) + text).suffix(count))
    }

    private static func digits(_ count: Int, _ chance: inout SplitMix64) -> String {
        var text = ""
        for _ in 0..<count { text += String(chance.below(10)) }
        return text
    }

    /// A time in the year before another.
    private static func past(_ now: EventTime, _ chance: inout SplitMix64) -> EventTime {
        now.advanced(by: .seconds(-chance.below(365 * 86_400)))
    }
}
