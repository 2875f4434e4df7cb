import Testing

@testable import Scaffolding

@Suite("Properties of a new event")
struct NewPropertyTests {
    @Test(
        "A property becomes a member of the schema and of its example",
        arguments: [
            (
                "items:integer",
                #""items": { "type": "integer", "minimum": -9007199254740991, "maximum": 9007199254740991, "description": "TODO: describe items." }"#,
                #""items": 1"#
            ),
            (
                "user_info:string?",
                #""user_info": { "type": "string", "maxLength": 256, "x-pii": true, "description": "TODO: describe user_info." }"#,
                #""user_info": "text""#
            ),
            (
                "email:string:hash",
                #""email": { "type": "string", "maxLength": 256, "x-pii": "hash", "description": "TODO: describe email." }"#,
                #""email": "text""#
            ),
            (
                "zip:string?:truncate:3",
                #""zip": { "type": "string", "maxLength": 256, "x-pii": "truncate:3", "description": "TODO: describe zip." }"#,
                #""zip": "text""#
            ),
            (
                "city:string:false",
                #""city": { "type": "string", "maxLength": 256, "x-pii": false, "description": "TODO: describe city." }"#,
                #""city": "text""#
            ),
            (
                "payment:card|invoice",
                #""payment": { "enum": ["card", "invoice"], "description": "TODO: describe payment." }"#,
                #""payment": "card""#
            ),
            (
                "items:integer=2...999?",
                #""items": { "type": "integer", "minimum": 2, "maximum": 999, "description": "TODO: describe items." }"#,
                #""items": 2"#
            ),
            (
                "code:string=6...8:false",
                #""code": { "type": "string", "minLength": 6, "maxLength": 8, "x-pii": false, "description": "TODO: describe code." }"#,
                #""code": "textte""#
            ),
            (
                "c:string=0...1:false",
                #""c": { "type": "string", "maxLength": 1, "x-pii": false, "description": "TODO: describe c." }"#,
                #""c": "t""#
            ),
            (
                "on:date", #""on": { "type": "string", "format": "date", "description": "TODO: describe on." }"#,
                #""on": "2018-09-12""#
            ),
            (
                "at:date-time",
                #""at": { "type": "string", "format": "date-time", "maxLength": 64, "description": "TODO: describe at." }"#,
                #""at": "2018-09-12T11:54:07Z""#
            ),
            (
                "is_new:boolean", #""is_new": { "type": "boolean", "description": "TODO: describe is_new." }"#,
                #""is_new": true"#
            ),
            (
                "took:integer=0...9 How\tlong \"it\" took.",
                #""took": { "type": "integer", "minimum": 0, "maximum": 9, "description": "How long \"it\" took." }"#,
                #""took": 1"#
            ),
            (
                "price:number", #""price": { "type": "number", "description": "TODO: describe price." }"#,
                #""price": 1.5"#
            ),
        ])
    func members(text: String, schema: String, example: String) throws {
        let property = try NewProperty(text)
        #expect(property.schema == schema)
        #expect(property.example == example)
        #expect(property.isRequired == !text.contains("?"))
    }

    @Test(
        "An invalid range is rejected with the reason",
        arguments: [
            ("integer=1", "invalid range '1': write the minimum and the maximum, such as 1...999"),
            ("integer=", "invalid range '': write the minimum and the maximum, such as 1...999"),
            ("integer=1...x", "invalid range '1...x': write the minimum and the maximum, such as 1...999"),
            ("integer=1...2...3", "invalid range '1...2...3': write the minimum and the maximum, such as 1...999"),
            ("integer=5...1", "invalid range '5...1': write the minimum first"),
            (
                "integer=1...9223372036854775807",
                "invalid range '1...9223372036854775807': an integer is at most 9007199254740991 (2^53 − 1)"
            ),
            (
                "integer=0...99999999999999999999",
                "invalid range '0...99999999999999999999': an integer is at most 9007199254740991 (2^53 − 1)"
            ),
            (
                "integer=-9007199254740992...0",
                "invalid range '-9007199254740992...0': an integer is at least -9007199254740991 (−2^53 + 1)"
            ),
            ("string=0...0", "invalid range '0...0': the maximum length of a string must be at least 1"),
            ("string=-1...4", "invalid range '-1...4': the length of a string is at least 0"),
            ("string=1...1000001", "invalid range '1...1000001': the length of a string is at most 1000000"),
            ("boolean=0...1", "'boolean=0...1' has a range: only integer and string support ranges"),
            ("x|x", "duplicate word x in 'x|x': write each word once"),
        ])
    func ranges(type: String, message: String) {
        let error = #expect(throws: NewProperty.Issue.self) { try NewProperty("a:\(type)") }
        #expect(error?.description == message)
    }

    @Test("A string counts as personal by default")
    func personal() throws {
        #expect(try NewProperty("a:string").countsAsPersonal)
        #expect(try !NewProperty("a:string:false").countsAsPersonal)
        #expect(try !NewProperty("a:integer").countsAsPersonal)
    }

    @Test(
        "An invalid property is rejected with advice",
        arguments: [
            ("items", "'items' has no type: write name:type, such as items:integer or voucher:string?"),
            ("userInfo:string", "invalid property name 'userInfo': did you mean user_info?"),
            ("2:string", "invalid property name '2': use a-z, 0-9 and single _, and start with a letter"),
            (
                "a:int",
                "invalid type 'int': use boolean, integer, number, string, uuid, date, date-time, or words separated by |; "
                    + "integer and string support a range, such as integer=1...999"
            ),
            (
                "a?:string",
                "invalid property name 'a?': put the ? after the type: a:string?"
            ),
            (
                "userInfo?:string?:hash",
                "invalid property name 'userInfo?': put the ? after the type: user_info:string?:hash"
            ),
            (
                "a:string:no",
                "invalid x-pii value 'no': write false if it is not personal, else true, drop, hash or truncate:N"
            ),
        ])
    func refused(text: String, message: String) {
        let error = #expect(throws: NewProperty.Issue.self) { try NewProperty(text) }
        #expect(error?.description == message)
    }
}
