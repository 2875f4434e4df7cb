/// The meaning of a member, derived from its name or format.
enum Field: Hashable {
    case unknown
    case link, host, email, login, firstName, lastName, fullName
    case city, country, language, currency, address, phone
    case query, title, sentence, word, screen, status, category, tag, color
    case repository, owner, version, path, device, system, app, browser
    case uuid, identifier, address4, address6, digest, pointer, relativePointer, expression
    case date, time, dateTime, seconds, milliseconds, duration
    case page, count, price, percent, rating, age, year, latitude, longitude, size, flag

    /// Derives the field from a name; `first_name`, `firstName` and `first-name` are equal.
    init(name: [UInt8]) {
        let words = Self.words(of: name)
        let text = words.joined(separator: " ")
        if let known = Self.byName[text] {
            self = known
        } else if let last = words.last, let known = Self.byName[last] ?? Self.byName[Self.singular(last)] {
            self = known
        } else if let first = words.first, Self.questions.contains(first) {
            self = .flag
        } else {
            self = .unknown
        }
    }

    /// Derives the field from a format; nil for a format without a specific meaning.
    init?(format: String) {
        switch format {
        case "date-time": self = .dateTime
        case "date": self = .date
        case "time": self = .time
        case "duration": self = .duration
        case "uuid": self = .uuid
        case "uri", "uri-reference", "iri", "iri-reference", "uri-template": self = .link
        case "email", "idn-email": self = .email
        case "hostname", "idn-hostname": self = .host
        case "ipv4": self = .address4
        case "ipv6": self = .address6
        case "json-pointer": self = .pointer
        case "relative-json-pointer": self = .relativePointer
        case "regex": self = .expression
        default: return nil
        }
    }

    private static let questions: Set<String> = ["is", "has", "was", "can", "did", "should"]

    private static let byName: [String: Field] = {
        let names: [(Field, String)] = [
            (.link, "url,uri,href,link,website,homepage,html url,referrer,image,avatar,icon"),
            (.host, "host,hostname,domain,server"), (.email, "email,mail,e mail,email address"),
            (.login, "login,username,user name,user,handle,nickname,author,actor,sender"),
            (.firstName, "first name,given name,forename"), (.lastName, "last name,family name,surname"),
            (.fullName, "name,full name,display name,customer,contact,person"),
            (.city, "city,town,place,location"), (.country, "country,country code,region,market"),
            (.language, "language,lang,locale"), (.currency, "currency,currency code"),
            (.address, "address,street"), (.phone, "phone,telephone,mobile,fax"),
            (.query, "query,q,search,term,keyword,search term,search text"),
            (.title, "title,headline,subject,label,caption"),
            (.sentence, "description,message,text,comment,body,summary,note,reason,detail,content,alert"),
            (.screen, "screen,view,page name,screen name,section,route,tab"),
            (.status, "status,state,outcome,result"), (.category, "category,type,kind,group,genre,department,plan"),
            (.tag, "tag,topic"), (.color, "color,colour,theme"),
            (.repository, "repository,repo,project,package,module"),
            (.owner, "owner,organization,organisation,org,team,company"),
            (.version, "version,release,build,app version,os version,revision"),
            (.path, "path,file,filename,file name,folder,directory"), (.device, "device,model,device model"),
            (.system, "os,system,platform,operating system"), (.app, "app,application,product,program"),
            (.browser, "browser,user agent,client"), (.uuid, "uuid,guid"),
            (.identifier, "id,identifier,key,token,code,reference,ref,number,sku,slug,hash"),
            (.digest, "sha,sha256,checksum,digest,commit"), (.address4, "ip,ip address,ipv4"), (.address6, "ipv6"),
            (.date, "date,day,birthday,birth date,since,until"), (.time, "time of day,clock"),
            (.dateTime, "date time,datetime,created,updated,expires,created at,updated at,published at,at"),
            (.seconds, "time,timestamp,epoch"),
            (.milliseconds, "duration,elapsed,latency,delay,timeout,ms,milliseconds,took"),
            (.page, "page,page number,offset page"),
            (.count, "count,total,quantity,items,amount of,position,index,rank,level,step,attempt,retry,badge,size of"),
            (.price, "price,amount,revenue,cost,value,sum,fee,tax,discount"),
            (.percent, "percent,percentage,progress,share,ratio"), (.rating, "rating,score,stars"), (.age, "age"),
            (.year, "year"), (.latitude, "latitude,lat"), (.longitude, "longitude,lon,lng"),
            (.size, "size,length,bytes,width,height"), (.flag, "enabled,active,visible,read,success,silent,muted"),
        ]
        var found: [String: Field] = [:]
        for (field, list) in names { for name in list.split(separator: ",") { found[String(name)] = field } }
        return found
    }()

    private static func singular(_ word: String) -> String {
        if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        return word.hasSuffix("s") ? String(word.dropLast()) : word
    }

    /// Returns the words of a name in lower case, split at other characters than letters and before capitals that
    /// follow a small letter.
    private static func words(of name: [UInt8]) -> [String] {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for byte in name {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            let small = isCapital ? byte | 0x20 : byte
            let isPart =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(small)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(small)
            if !isPart || isCapital && wasSmall { end() }
            if isPart { word.unicodeScalars.append(Unicode.Scalar(small)) }
            wasSmall = isPart && !isCapital
        }
        end()
        return words
    }
}
