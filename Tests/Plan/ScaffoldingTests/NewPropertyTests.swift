import Testing

@testable import Scaffolding

@Suite("Properties of a new event")
struct NewPropertyTests {
    @Test(
        "A property becomes a member of the schema, and of its example",
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
        "A range that is none, or cannot be kept, is refused with the reason",
        arguments: [
            ("integer=1", "'1' is no range: write the least and the greatest number, such as 1...999"),
            ("integer=", "'' is no range: write the least and the greatest number, such as 1...999"),
            ("integer=1...x", "'1...x' is no range: write the least and the greatest number, such as 1...999"),
            ("integer=1...2...3", "'1...2...3' is no range: write the least and the greatest number, such as 1...999"),
            ("integer=5...1", "'5...1' runs backwards: write the least number first"),
            (
                "integer=1...9223372036854775807",
                "'1...9223372036854775807' ends too late: an integer is at most 9007199254740991 (2^53 − 1)"
            ),
            (
                "integer=0...99999999999999999999",
                "'0...99999999999999999999' ends too late: an integer is at most 9007199254740991 (2^53 − 1)"
            ),
            (
                "integer=-9007199254740992...0",
                "'-9007199254740992...0' begins too early: an integer is at least -9007199254740991 (−2^53 + 1)"
            ),
            ("string=0...0", "'0...0' leaves no room for text: a string's greatest length is at least 1"),
            ("string=-1...4", "'-1...4' begins too early: a string's length is at least 0"),
            ("string=1...1000001", "'1...1000001' ends too late: a string's length is at most 1000000"),
            ("boolean=0...1", "'boolean=0...1' has a range, which only integer and string take"),
            ("x|x", "'x|x' has x twice: write each word once"),
        ])
    func ranges(type: String, message: String) {
        let error = #expect(throws: NewProperty.Issue.self) { try NewProperty("a:\(type)") }
        #expect(error?.description == message)
    }

    @Test("A string counts as personal until somebody says whether it is")
    func personal() throws {
        #expect(try NewProperty("a:string").countsAsPersonal)
        #expect(try !NewProperty("a:string:false").countsAsPersonal)
        #expect(try !NewProperty("a:integer").countsAsPersonal)
    }

    @Test(
        "What is no property is refused with what to write",
        arguments: [
            ("items", "'items' has no type: write name:type, such as items:integer or voucher:string?"),
            ("userInfo:string", "'userInfo' is no property's name: did you mean user_info?"),
            ("2:string", "'2' is no property's name: write a-z, 0-9 and single _, a letter first"),
            (
                "a:int",
                "'int' is no type: there are boolean, integer, number, string, uuid, date, date-time, and words with | "
                    + "between them; integer and string take a range, such as integer=1...999"
            ),
            (
                "a?:string",
                "'a?' is no property's name, the ? stands behind the type: write a:string?"
            ),
            (
                "userInfo?:string?:hash",
                "'userInfo?' is no property's name, the ? stands behind the type: write user_info:string?:hash"
            ),
            (
                "a:string:no",
                "'no' is nothing that x-pii says: write false if it is not personal, else true, drop, hash or truncate:N"
            ),
        ])
    func refused(text: String, message: String) {
        let error = #expect(throws: NewProperty.Issue.self) { try NewProperty(text) }
        #expect(error?.description == message)
    }
}
