/// Specs of `assert`, mappings of `import`, and lines to import.
enum SpecSeeds {
    static let specs = [
        #"{"expectations":{"one":{"match":{"event":{"name":"search"}},"count":1}}}"#,
        #"{"expectations":{"few":{"where":"event.name == \"search\"","count":{"min":1,"max":3}}}}"#,
        #"{"expectations":{"none":{"match":{"event":{"name":"crash"}},"none":true}}}"#,
        #"{"expectations":{"way":{"sequence":[{"event":{"name":"launch"}},{"v":1}],"by":"user_id"}}}"#,
        #"{"expectations":{"all":{"valid":true},"numbers":{"gaps":false}}}"#,
        #"{"expectations":{"a":{"count":-1}}}"#, #"{"expectations":{"a":{"count":{"min":3,"max":1}}}}"#,
        #"{"expectations":{"a":{"count":9223372036854775807}}}"#, #"{"expectations":{"a":{"where":"time > \"-1h\""}}}"#,
        #"{"expectations":{"a":{"where":"seq ="}}}"#, #"{"expectations":{"a":{"by":"id"}}}"#,
        #"{"expectations":{"a":{"count":1,"none":true}}}"#, #"{"expectations":{}}"#, #"{"expectations":[]}"#,
        #"{"expectations":{"a":{"gaps":false,"where":"v == 1"}}}"#, "{\n\"expectations\":\n{\"a\":\n1}}", "[]", "", "{",
    ]

    static let mappings = [
        """
        {"install_id":"i","time":{"from":"t","format":"ms"},"id":{"from":"id"},"user_id":{"from":"u","as":"text"},
        "session_id":{"from":"s","optional":true},"event":{"from":"e"},"skip":["exists(.x) || .n > 3"],
        "events":{"a":{"name":"search","value":{"query":{"template":"%{q:-none} %{u}"},"page":{"from":"n","as":"integer"},
        "c":{"constant":{"d":[1.5,null]}},"o":{"from":"o.p[0]","optional":true,"as":"number"}}}}}
        """,
        """
        {"install_id":"i","time":{"from":"t","format":"s"},"user_id":{"constant":"u"},"event":{"template":"%{e}"},
        "events":{"a":{"name":"launch","schema":"launch/2-0-0"},"b":{"name":"n","value":{"x":{"from":"q","as":"boolean"}}}}}
        """,
        #"{"install_id":"","time":{"from":"t","format":"days"}}"#,
    ]

    static let lines = [
        #"{"t":1536753247351,"id":"018f3c00-0000-7000-8000-000000000001","u":7,"s":"x","e":"a","n":"2","q":"flux","o":{"p":["1e3"]}}"#,
        #"{"t":1536753247.351338,"e":"b","q":"true"}"#, #"{"t":"1536753247.5","e":"a","x":null}"#,
        #"{"t":9223372036854775807,"e":"a","u":true,"n":1e400}"#, #"{"t":-1,"e":"a","u":"u","n":1}"#,
        #"{"created_at":"2015-01-01T00:00:00Z","id":"2489","actor":{"id":1},"type":"PushEvent","repo":{"html_url":"h","name":"n"},"public":true}"#,
        "[]", "",
    ]
}
