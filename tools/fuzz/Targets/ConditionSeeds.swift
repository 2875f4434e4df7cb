/// Valid and invalid conditions, steps and patterns.
enum ConditionSeeds {
    static let all = [
        "event.value.page >= 2 && event.name == \"search\"", "event.name ~ \"s*\"", "event.value.page",
        "event.value.page in [1, 2, 3]", "exists(event.value.labels[0])", "!exists(.plan)", ".plan == null",
        "event.value.isNew", "event.value.labels[1].b == true", "event.value.\"my.key\" == 'x'", "user_id == \"u1\"",
        "time >= \"2018-09-12T11:54:07Z\" && time < \"now\"", "time > 1536753247.351338", "time >= \"-1h30m\"",
        "seq == 7 || seq > 1e3", "event.value.price == 1.5", "event.value.price != event.value.page",
        "(seq == 7) && !(seq != 7 || v == 1)", "event.value.query ~ \"*fl?x*\"",
        "event.value.query == \"flux \\u00e9\"",
        "event.value.page == 9223372036854775807", "event.value.page == -9007199254740993",
        "event.value.page < -0.5e-3",
        "not seq == 1", "seq = 1", "seq == \"1\"", "event.page == 1", "sequence == 1", "event.value.page ==",
        "(seq == 1", "exists(seq", "event.value.labels[99999999999]", "event.value.x == \"open", "'\\x'",
        "!!!!seq == 1",
        "((((((((((seq == 1))))))))))", "event.name == \"a\" or v == 1", "event.name in []", "", " ", "&&",
        "e\u{301}.x == 1",
        "launch > search", "launch > page-view:repository-detail > search{event.value.page == 1}",
        "search : flux { seq > 1 }", "\"a > b\":\"{}\"", "search{event.value.query == \"}\"}", "search{", ">", "a >",
        "a*b?c\\*axbyc*", "**?*aaaaaaa", "10%", "0.1", "100%", "a=1,b%20=2", "a=9007199254740991",
    ]
}
