import Testing

@testable import LogMaintenance

@Suite("The user of a line")
struct UserMatcherTests {
    private func verdict(_ line: String, _ id: String, isRecording: Bool = false) -> UserMatcher.Verdict {
        Array(line.utf8).withUnsafeBytes { UserMatcher(id: id).verdict($0, isRecording: isRecording) }
    }

    @Test(
        "is found by the value of user_id, however it is written",
        arguments: [
            (#"{"user_id":"a/é\"1"}"#, UserMatcher.Verdict.theirs),
            (#"{"user_id":"a\/\u00e9\"1"}"#, .theirs),
            (#"{"us\u0065r_id":"\u0061/é\u00221"}"#, .theirs),
            (#"{ "event" : 1 , "user_id" : "a/é\"1" }"#, .theirs),
            (#"{"user_id":"b","of":["x",{"who":"a/é\"1"}]}"#, .mention),
            (#"{"user_id":"b","a/é\"1":1}"#, .mention),
            (#"{"user_id":"b","text":"a/É\"1"}"#, .other),
            (#"{"user_id":"b","text":"\n"}"#, .other),
            (#"{"v":{"user_id":"a/é\"1"}}"#, .mention),
            (#"torn {"user_id":"a/é\"1"#, .theirs),
            (#"torn {"user_id":"b"#, .other),
            ("", .other),
        ])
    func values(line: String, expected: UserMatcher.Verdict) {
        #expect(verdict(line, #"a/é"1"#) == expected)
    }

    @Test("is found by a long id inside a word, too; by a short one only as a whole word")
    func boundaries() {
        #expect(verdict(#"{"user_id":"b","x":"see12345678 ok"}"#, "12345678") == .mention)
        #expect(verdict(#"{"user_id":"b","x":"see1234567 ok"}"#, "1234567") == .other)
        #expect(verdict(#"{"user_id":"b","x":"see 1234567 ok"}"#, "1234567") == .mention)
        #expect(verdict(#"{"user_id":1234567}"#, "1234567") == .theirs)
    }

    @Test("is found by any text of a recording that equals the id")
    func recording() {
        #expect(verdict(#"{"a":[{"b":"someone-1"}]}"#, "someone-1", isRecording: true) == .theirs)
        #expect(verdict(#"{"a":[{"b":"to someone-1"}]}"#, "someone-1", isRecording: true) == .mention)
        #expect(verdict(#"{"a":[{"b":"someone-1"}]}"#, "someone-1") == .mention)
    }

    @Test("is searched in every notation that this package or another program writes")
    func forms() {
        let forms = UserForms(#"É/"1"#).patterns.map { String(decoding: $0, as: UTF8.self) }
        for form in [#"É/"1"#, #"É/\"1"#, #"É\/\"1"#, #"\u00c9/\"1"#, #"\u00C9/\"1"#, #"é/"1"#, #"\u00e9/\"1"#] {
            #expect(forms.contains(form), "\(form)")
        }
        #expect(forms.contains(#"\u00c9\u002f\u0022\u0031"#) && Set(forms).count == forms.count)
    }
}
