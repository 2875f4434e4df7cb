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

/// The words that texts are made of: invented, or so common that they mean nobody.
enum WordLists {
    static let firstNames = list(
        "Ada Amir Ben Chiara Dana Elif Emil Farah Greta Hugo Ines Ivan Jonas Kemal Lena Lucia Mara Milo Nadia Noor Oskar Pia "
            + "Quentin Rosa Samir Sofia Tariq Ulla Vera Wanda Yara Zoe")
    static let lastNames = list(
        "Abel Berger Costa Dahl Eriksen Fuchs Garcia Haddad Ito Jansen Keller Lang Moreau Novak Okoye Petrov Quist Rossi Sato "
            + "Torres Ueda Vogel Weber Xu Yilmaz Zeller")
    static let cities = list(
        "Aarhus Bergen Berlin Bilbao Bogota Cairo Dublin Ghent Graz Hanoi Kyoto Lagos Leeds Lima Lyon Malmo Nairobi Oslo "
            + "Porto Quito Riga Seoul Tampere Turin Utrecht Vienna Zagreb Zurich")
    static let countries = list(
        "AR AT BE BR CA CH CL CO DE DK EG ES FI FR GB IE IN IT JP KE KR MX NG NL NO NZ PL PT SE US ZA")
    static let languages = list("ar da de en-GB en-US es es-MX fi fr fr-CA it ja ko nl nb pl pt-BR sv tr zh-Hans")
    static let currencies = list("AUD BRL CAD CHF DKK EUR GBP INR JPY KRW MXN NOK PLN SEK USD ZAR")
    static let streets = list("Station Mill Garden Harbour Forest School Church Market River Hill Bridge Park")
    static let adjectives = list(
        "amber brisk calm clear crisp daily deep eager early even fair fast fine fresh gentle golden grand green keen "
            + "kind large late light lively lucky mild neat new noble open plain proud quick quiet rapid ready sharp silent "
            + "silver simple small smart soft solid steady still sunny swift tidy tiny warm wide wild wise young")
    static let nouns = list(
        "anchor arrow atlas badge basket beacon bottle branch bridge bucket button canvas castle cedar circle cloud compass "
            + "copper corner cursor desert engine falcon feather field flame forest garden glacier hammer harbor hazel island "
            + "kernel ladder lantern ledger lemon magnet maple marble meadow mirror needle ocean orbit paper pebble pepper "
            + "pillow pixel planet pocket quartz rabbit raven ribbon river rocket saddle sailor shadow signal socket sparrow "
            + "spring stone stream summit table temple thread ticket timber tunnel valley velvet violet wagon walnut window"
    )
    static let topics = list(
        "swift ui|flux|async stream|json parser|sqlite|http client|graphql|logging|analytics|offline cache|image cache|"
            + "markdown|regex|calendar|charts|maps|keychain|push notifications|dark mode|unit testing|snapshot tests|"
            + "dependency injection|state machine|event sourcing|websocket|oauth|accessibility|localization|core data|"
            + "property wrappers|macros|concurrency|background tasks|feature flags|crash reports|rate limiter|retry|"
            + "schema validation|code generation|command line", by: "|")
    static let hosts = list(
        "example.com example.org example.net docs.example.com shop.example.org news.example.net api.example.com")
    static let screens = list(
        "home search detail settings profile cart checkout login signup feed favorites inbox help about list map")
    static let statuses = list("active cancelled closed completed draft failed new open paused pending ready running")
    static let categories = list(
        "art books food games garden health home music news office outdoor sports tools toys travel video")
    static let tags = list("beta featured free latest new nightly popular preview recommended sale stable trending")
    static let colors = list("black blue brown gray green orange pink purple red teal white yellow")
    static let devices = list(
        "iPhone14,5|iPhone15,3|iPhone16,1|iPad13,4|iPad14,1|Watch6,2|Mac14,2|AppleTV14,1", by: "|")
    static let systems = list(
        "iOS 17.6|iOS 18.0|iOS 18.2|iPadOS 18.1|macOS 15.1|macOS 15.2|watchOS 11.1|tvOS 18.0", by: "|")
    static let browsers = list("Safari Firefox Chrome Edge")
    static let suffixes = list("json md png swift txt csv")
    static let memberNames = list(
        "badge campaign channel count group id label level link priority read silent source tag title")

    private static func list(_ text: String, by separator: Character = " ") -> [String] {
        text.split(separator: separator).map(String.init)
    }
}
