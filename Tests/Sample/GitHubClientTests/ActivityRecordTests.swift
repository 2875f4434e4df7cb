import GitHubClient
import Testing

@Suite("A record of activity")
struct ActivityRecordTests {
    private func record(actor: String, repo: String) throws -> ActivityRecord {
        try ActivityRecord(
            line: Array(
                #"{"type":"WatchEvent","actor":{"id":\#(actor)},"repo":{"id":7,"name":"o/n"\#(repo)},"created_at":"2015-01-01T00:00:00Z"}"#
                    .utf8))
    }

    @Test("from GH Archive may have an integer as actor id, and no repository URL")
    func archived() throws {
        let url = #","url":"https://api.github.com/repos/o/n""#
        let archived = try record(actor: "665991", repo: url)
        #expect(archived.actorID == "665991")
        #expect(archived.repository.htmlURL == "https://github.com/o/n")
        #expect(archived.repository.name == "n")
        #expect(try record(actor: "665991", repo: #","html_url":null"#).repository.htmlURL == "https://github.com/o/n")
    }

    @Test("uses the record's repository URL, if it has one")
    func named() throws {
        let named = try record(actor: #""x""#, repo: #","html_url":"https://example.com/n""#)
        #expect(named.actorID == "x" && named.repository.htmlURL == "https://example.com/n")
    }

    @Test(
        "is rejected if one of these members has the wrong type",
        arguments: [
            ("1.5", "", "actor.id"), ("null", "", "actor.id"), (#""""#, "", "actor.id"), ("{}", "", "actor.id"),
            ("1", #","html_url":7"#, "repo.html_url"), ("1", #","html_url":"""#, "repo.html_url"),
        ])
    func rejected(actor: String, repo: String, member: String) {
        #expect {
            _ = try record(actor: actor, repo: repo)
        } throws: {
            ($0 as? NotAnActivityRecord)?.member == member
        }
    }
}
