internal import EventModel
internal import Primitives

/// Generates texts for fields.
enum Words {
    /// Returns a text for a field.
    ///
    /// - Parameter now: The time shortly after the generated dates and times.
    static func text(for field: Field, _ random: inout SplitMix64, now: EventTime) -> String {
        switch field {
        case .link: link("https://" + one(WordLists.hosts, &random), steps: 1 + random.below(3), random: &random)
        case .host: one(WordLists.hosts, &random)
        case .email:
            "\(one(WordLists.firstNames, &random).lowercased()).\(noun(&random))@\(one(WordLists.hosts, &random))"
        case .login: "\(noun(&random))-\(one(WordLists.firstNames, &random).lowercased())"
        case .firstName: one(WordLists.firstNames, &random)
        case .lastName: one(WordLists.lastNames, &random)
        case .fullName: "\(one(WordLists.firstNames, &random)) \(one(WordLists.lastNames, &random))"
        case .city: one(WordLists.cities, &random)
        case .country: one(WordLists.countries, &random)
        case .language: one(WordLists.languages, &random)
        case .currency: one(WordLists.currencies, &random)
        case .address: "\(1 + random.below(200)) \(one(WordLists.streets, &random)) Street"
        case .phone: "+1 555 01\(digits(2, &random))"
        case .query: query(&random)
        case .title: capitalized("\(adjective(&random)) \(noun(&random))")
        case .sentence: sentence(&random)
        case .screen, .page: one(WordLists.screens, &random)
        case .status: one(WordLists.statuses, &random)
        case .category: one(WordLists.categories, &random)
        case .tag: one(WordLists.tags, &random)
        case .color: one(WordLists.colors, &random)
        case .repository: "\(noun(&random))-\(noun(&random))"
        case .owner: "\(adjective(&random))-\(noun(&random))"
        case .version: version(&random)
        case .path: "\(noun(&random))/\(noun(&random)).\(one(WordLists.suffixes, &random))"
        case .device: one(WordLists.devices, &random)
        case .system: one(WordLists.systems, &random)
        case .app: "\(capitalized(noun(&random))) \(version(&random))"
        case .browser: one(WordLists.browsers, &random)
        case .uuid: uuid(&random)
        case .identifier: "\(noun(&random))-\(digits(4, &random))"
        case .digest: hexadecimal(random.next(), 16) + hexadecimal(random.next(), 16) + hexadecimal(random.next(), 8)
        case .address4: "192.0.2.\(1 + random.below(254))"
        case .address6: "2001:db8::\(hexadecimal(random.next(), 4)):\(hexadecimal(random.next(), 4))"
        case .pointer: "/\(noun(&random))/\(random.below(10))"
        case .relativePointer: "\(random.below(3))/\(noun(&random))"
        case .expression: "^\(noun(&random))[0-9]+$"
        case .date: String(past(now, &random).rfc3339.prefix(10))
        case .time: String(past(now, &random).rfc3339.dropFirst(11).prefix(8)) + "Z"
        case .dateTime, .seconds: String(past(now, &random).rfc3339.prefix(19)) + "Z"
        case .duration: "PT\(1 + random.below(59))M\(random.below(60))S"
        default: "\(adjective(&random)) \(noun(&random))"
        }
    }

    private static func one(_ words: [String], _ random: inout SplitMix64) -> String {
        words[random.below(words.count)]
    }

    static func noun(_ random: inout SplitMix64) -> String { one(WordLists.nouns, &random) }

    private static func adjective(_ random: inout SplitMix64) -> String { one(WordLists.adjectives, &random) }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// Returns a search query: usually one of a few topics, sometimes random words.
    private static func query(_ random: inout SplitMix64) -> String {
        if random.happens(15) { return "\(adjective(&random)) \(noun(&random))" }
        // The product of two random numbers prefers the first ones.
        let location =
            random.below(WordLists.topics.count) * random.below(WordLists.topics.count) / WordLists.topics.count
        return WordLists.topics[location]
    }

    private static func sentence(_ random: inout SplitMix64) -> String {
        let words = (0..<3 + random.below(5)).map { $0 % 2 == 0 ? adjective(&random) : noun(&random) }
        return capitalized(words.joined(separator: " ")) + "."
    }

    private static func version(_ random: inout SplitMix64) -> String {
        "\(1 + random.below(9)).\(random.below(10))" + (random.happens(50) ? ".\(random.below(10))" : "")
    }

    /// Returns a link with a number of path components.
    static func link(_ host: String, steps: Int, random: inout SplitMix64) -> String {
        var link = host
        for _ in 0..<steps {
            link += "/"
            link += noun(&random)
        }
        return link
    }

    /// Returns a UUID of version 4 in lower case.
    static func uuid(_ random: inout SplitMix64) -> String { eventID(&random).description }

    /// Returns the bytes of a UUID of version 4.
    static func eventID(_ random: inout SplitMix64) -> EventID {
        EventID(high: random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, low: random.next() >> 2 | 1 << 63)
    }

    private static func hexadecimal(_ number: UInt64, _ count: Int) -> String {
        let text = String(number, radix: 16)
        return String((String(repeating: "0", count: 16 - text.utf8.count) + text).suffix(count))
    }

    private static func digits(_ count: Int, _ random: inout SplitMix64) -> String {
        var text = ""
        for _ in 0..<count { text += String(random.below(10)) }
        return text
    }

    /// Returns a time in the year before another.
    private static func past(_ now: EventTime, _ random: inout SplitMix64) -> EventTime {
        now.advanced(by: .seconds(-random.below(365 * 86_400)))
    }
}

/// The word lists: invented words, and names too common to identify a person.
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
