import EventFormats
import Testing

@Suite("A table")
struct TableTests {
    private static func table(_ lines: [String], columns: Int?, fields: String = "a,b") throws -> String {
        try formatted(lines, .table) {
            $0.terminalColumns = columns
            $0.fields = try Field.list(fields)
        }
    }

    @Test("is as wide as its cells are on a terminal")
    func widths() throws {
        let lines = [#"{"a":"検索","b":1}"#, #"{"a":"e\u0301","b":"x"}"#, #"{"b":[1, 2]}"#]
        #expect(try Self.table(lines, columns: 80) == "a     b\n検索  1\ne\u{301}     x\n      [1,2]\n")
        #expect(try Self.table([], columns: 80) == "a  b\n")
    }

    @Test("shortens its widest column, and cuts with an ellipsis")
    func cutting() throws {
        let lines = [#"{"a":"0123456789","b":"検索検索検索検索"}"#]
        #expect(try Self.table(lines, columns: 22) == "a           b\n0123456789  検索検索…\n")
        // Eight columns each, and no less.
        #expect(try Self.table(lines, columns: 5) == "a         b\n0123456…  検索検…\n")
        #expect(try Self.table(lines, columns: nil) == "a           b\n0123456789  検索検索検索検索\n")
    }

    @Test(
        "shows the time of day if the date does not fit",
        arguments: [
            (nil, "time:rfc3339                 event.name\n2018-09-12T11:54:07.351338Z  search\n"),
            (39, "time:rfc3339                 event.name\n2018-09-12T11:54:07.351338Z  search\n"),
            (38, "time:rfc3339     event.name\n11:54:07.351338  search\n"),
            (27, "time:rfc3339     event.name\n11:54:07.351338  search\n"),
            (26, "time:rfc3339  event.name\n11:54:07      search\n"),
            (12, "time:rf…  event.n…\n11:54:07  search\n"),
        ] as [(Int?, String)])
    func timeOfDay(columns: Int?, table: String) throws {
        let line = #"{"time":1536753247.351338,"event":{"name":"search"}}"#
        #expect(try Self.table([line], columns: columns, fields: "time:rfc3339,event.name") == table)
    }

    @Test("leaves invalid times unchanged, however narrow the terminal")
    func noTime() throws {
        let lines = [#"{"a":"soon","b":"x"}"#, #"{"a":"2018-09-12T11:54:07.351338Z","b":"yyyyyyyyyyyyyyyyyy"}"#]
        #expect(
            try Self.table(lines, columns: 20, fields: "a:rfc3339,b:rfc3339")
                == "a:rfc3339  b:rfc3339\nsoon       x\n11:54:07   yyyyyyyy…\n")
    }

    @Test("reserves room for every standard name when following, whatever the first rows are")
    func following() throws {
        var options = FormatOptions()
        options.isFollowing = true
        var format = try OutputFormat.table.lineFormat(options)
        var output: [UInt8] = []
        format.begin(into: &output)
        for name in ["launch", "notification"] {
            try append(#"{"user_id":"u","time":0,"event":{"name":"\#(name)"}}"#, to: &format, &output)
            format.end(into: &output)
        }
        #expect(
            String(decoding: output, as: UTF8.self)
                == """
                time                         event         user  value
                1970-01-01T00:00:00.000000Z  launch        u
                1970-01-01T00:00:00.000000Z  notification  u

                """)
    }

    @Test("measures its widths on the first 64 rows, and writes the others immediately")
    func streaming() throws {
        var options = FormatOptions()
        options.fields = try Field.list("a,b")
        options.terminalColumns = 20
        var format = try OutputFormat.table.lineFormat(options)
        var output: [UInt8] = []
        format.begin(into: &output)
        for _ in 0..<63 { try append(#"{"a":"x","b":"y"}"#, to: &format, &output) }
        #expect(output.isEmpty)
        try append(#"{"a":"12345","b":"y"}"#, to: &format, &output)
        #expect(output.split(separator: UInt8(ascii: "\n")).count == 65)
        output = []
        try append(#"{"a":"1234567","b":"a text that is too long"}"#, to: &format, &output)
        #expect(String(decoding: output, as: UTF8.self) == "1234…  a text that …\n")
        output = []
        format.end(into: &output)
        #expect(output.isEmpty)
    }

    @Test("widens its columns for rows after the first output, up to the 64th row")
    func widening() throws {
        for terminal in [20, nil] {
            var options = FormatOptions()
            options.fields = try Field.list("a,b")
            options.terminalColumns = terminal
            var format = try OutputFormat.table.lineFormat(options)
            var output: [UInt8] = []
            for text in ["x", "12345", "y"] {
                try append("{\"a\":\"\(text)\",\"b\":\"z\"}", to: &format, &output)
                format.end(into: &output)
            }
            #expect(String(decoding: output, as: UTF8.self) == "a  b\nx  z\n12345  z\ny      z\n")
            for _ in 0..<61 { try append(#"{"a":"x","b":"y"}"#, to: &format, &output) }
            output = []
            try append(#"{"a":"1234567","b":"z"}"#, to: &format, &output)
            #expect(String(decoding: output, as: UTF8.self) == (terminal == nil ? "1234567  z\n" : "1234…  z\n"))
        }
    }

    @Test("shows no text that could control the terminal")
    func printable() throws {
        #expect(
            try Self.table([#"{"a":"x\u001b[2J\n","b":"\u202e"}"#], columns: 80)
                == "a                b\nx\\u{1b}[2J\\u{a}  \\u{202e}\n")
    }

    @Test("shows an event's value as pairs")
    func pairs() throws {
        let line = #"{"a":{"q":"flux","n":1.50,"s":"two words","e":"","o":{"x": 1},"z z":null,"k":"a=b"}}"#
        #expect(
            try Self.table([line], columns: nil, fields: "a:pairs")
                == "a:pairs\nq=flux n=1.50 s=\"two words\" e=\"\" o={\"x\":1} \"z z\"=null k=\"a=b\"\n")
    }
}
