import EventModel
import EventQuery
import Testing

@Suite("Conditions")
struct ConditionTests {
    @Test(
        "Conditions that hold",
        arguments: [
            #"event.value.page >= 2 && event.name == "search""#, "event.name=='search'", "seq == 7", "seq < 7.5",
            "seq != 8", "event.value.page in [1, 2]", #"event.name in ["launch","search"]"#, #"event.name ~ "s*""#,
            #"user_id ~ 'u-?'"#, "exists(context)", "exists(event.value.query)", "!exists(origin)",
            "!(seq == 8) && (seq == 7 || seq == 9)", "seq == 8 || seq == 7 && v == 1",
            #"context."my.app".flags[0]"#, #"context."my.app".flags[1] == "b""#, #"context."my.app".flags[2] == null"#,
            #"context."my.app".flags[3] > 2"#, #"exists(context."my.app".flags[2])"#, "context.app >= 'Sha'",
            #"event.value.query ~ "*é""#, #"event.value.query == "a \"name\":\"launch\" \u00e9""#,
            "time == 1536753247.351338", #"time >= "2018-09-12T11:54:07Z""#, #"time < "2018-09-12T11:54:08Z""#,
            "event.value.page == seq || event.value.page < seq", "event.value.page != 'x'", ".v == 1",
            "event.value.page == 2.0",
        ])
    func holds(condition: String) throws { #expect(try QueriedLine.holds(condition)) }

    @Test(
        "Conditions that do not hold: a missing value satisfies no comparison, a value of another type only !=",
        arguments: [
            "event.value.page > 2", "event.value.none == 1", "event.value.none != 1", "!(seq == 7)",
            "event.value.page == '2'",
            "event.value.page < 'x'", "event.value.page", "exists(event.value.none)",
            #"context."my.app".flags[4] == 1"#,
            #"event.value.page ~ "2""#, "event.value.none in [null]", #"event.name == "launch""#,
            "event.value.query == event.name",
            "seq == 7 && v == 2", "event.value.page > seq",
        ])
    func holdsNot(condition: String) throws { #expect(try !QueriedLine.holds(condition)) }

    @Test("Whole numbers are compared exactly beyond the precision of a double")
    func exactNumbers() throws {
        let line = #"{"seq":9007199254740993,"event":{"name":"a","value":{"n":9007199254740993}}}"#
        #expect(try QueriedLine.holds("event.value.n == 9007199254740993", line))
        #expect(try !QueriedLine.holds("event.value.n == 9007199254740992", line))
        #expect(try QueriedLine.holds("event.value.n > 9007199254740992", line))
        let long = #"{"event":{"name":"a","value":{"n":1234567890123456789,"m":-9223372036854775808}}}"#
        #expect(try QueriedLine.holds("event.value.n == 1234567890123456789", long))
        #expect(try !QueriedLine.holds("event.value.n == 1234567890123456788", long))
        #expect(try QueriedLine.holds("event.value.m < -9223372036854775807", long))
        #expect(try QueriedLine.holds("event.value.m < 9223372036854775808", long))
        let longest = #"{"event":{"name":"a","value":{"n":9223372036854775807,"m":-9223372036854775808}}}"#
        #expect(try QueriedLine.holds("event.value.n == 9223372036854775807", longest))
        #expect(try !QueriedLine.holds("event.value.n == 9223372036854775806", longest))
        #expect(try QueriedLine.holds("event.value.m < -9223372036854775807", longest))
    }

    @Test("Times are relative to the start of the command")
    func relativeTimes() throws {
        let now = EventTime(seconds: 1_536_753_247 + 600)
        #expect(try QueriedLine.holds(#"time > "-15m""#, now: now))
        #expect(try !QueriedLine.holds(#"time > "-5m""#, now: now))
        #expect(try QueriedLine.holds(#"time in ["yesterday", "2018-09-12T11:54:07.351338Z"]"#, now: now))
        #expect(try !QueriedLine.holds(#"time in ["2018-09-12T11:54:06Z"]"#, now: now))
    }

    @Test(
        "Errors show the column and a correction",
        arguments: [
            ("event.value.page ==", "column 20: expected a value: text in quotes, a number, true, false or null"),
            ("event.name = 'a'", "column 12: write == to compare"),
            (
                "event.name == search",
                "column 15: unknown member 'search': for a value of an event, write event.value.search"
            ),
            ("event.nam == 'a'", "column 1: an event has only name and value: did you mean event.value.nam?"),
            ("evnt.name == 'a'", "column 1: unknown member 'evnt': did you mean event?"),
            ("usre_id == 'a'", "column 1: unknown member 'usre_id': did you mean user_id?"),
            ("seq == '7'", "column 8: seq is a number: remove the quotes"),
            ("user_id == 7", "column 12: user_id is text: put quotes around the value"),
            ("event.name == null", "column 15: event.name is never null"),
            ("event.value.a < true", "column 17: true or false has no order: use == or !="),
            ("seq ~ '7'", "column 1: seq is a number: patterns need text"),
            ("event.name ~ 7", "column 14: expected a pattern in quotes"),
            ("time > 'soon'", "column 8: expected a time"),
            ("seq", "column 4: expected a comparison, such as seq == …"),
            ("seq == 7 and v == 1", "column 10: write && instead of and"),
            ("not v == 1", "column 1: write ! instead of not"),
            ("(seq == 7", "column 1: this parenthesis is never closed"),
            ("event.name == 'a", "column 15: missing closing quote"),
            ("seq == 7 v == 1", "column 10: expected && or ||, or the end"),
            ("", "column 1: expected a path on the left"),
            ("seq == 1x", "column 8: invalid number '1x'"),
            ("event.value.a[x] == 1", "column 15: expected an element's index"),
            ("seq in 7", "column 8: expected a list"),
            ("event.value.* == 1", "column 13: * matches many values"), ("* == 1", "column 1: * matches many"),
            ("event.value.n ≥ 1", "column 15: expected && or ||, or the end"),
            ("event.value.n≥1", "column 14: expected && or ||, or the end"),
            ("event.name == 'a\\q'", "column 15: invalid JSON escape"),
        ])
    func errors(condition: String, message: String) {
        #expect {
            _ = try Condition(condition, now: EventTime(seconds: 0))
        } throws: { error in
            "\(error)".hasPrefix(message) && "\(error)".contains("\n  \(condition)\n")
        }
    }

    @Test("The mark is below the error")
    func mark() {
        #expect {
            _ = try Condition("seq == 'x'", now: EventTime(seconds: 0))
        } throws: { error in
            "\(error)" == "column 8: seq is a number: remove the quotes\n  seq == 'x'\n         ^"
        }
    }

    @Test("Nesting deeper than a hundred levels is rejected, and cannot crash the program")
    func nesting() throws {
        #expect(throws: TypedTextError.self) {
            try Condition(String(repeating: "(", count: 100_000), now: EventTime(seconds: 0))
        }
        #expect(throws: TypedTextError.self) {
            try Condition(String(repeating: "!", count: 100_000) + "v == 1", now: EventTime(seconds: 0))
        }
        let deep = String(repeating: "(", count: 90) + "seq == 7" + String(repeating: ")", count: 90)
        #expect(try QueriedLine.holds(deep))
    }
}
