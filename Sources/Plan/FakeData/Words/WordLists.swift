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
