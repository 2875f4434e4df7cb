import Testing

@testable import JSONSchema

@Suite("Hosts and mailboxes")
struct HostFormatTests {
    private static let label63 = String(repeating: "a", count: 63)
    private static let name253 = Array(repeating: label63, count: 3).joined(separator: ".") + "." + label63.dropLast(2)

    @Test(
        "Invalid hosts and mailboxes are rejected",
        arguments: [
            FormatTable(
                format: .hostname,
                good: [
                    "a", "A", "1", "a-b", "a--b", "a.b", "1.2.3.4", "example.com", label63, label63 + ".b", name253,
                    "xn--bcher-kva.example", "XN--BCHER-KVA", "xn--80ak6aa92e.com", "xn--ihqwcrb4cv8a8dqg056pqjye",
                    "xn--e1afmkfd", "xn--strae-oqa", "xn--ll-0ea", "x-n", "xn", "xx--a",
                ],
                bad: [
                    "", ".", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a-.b", "a_b", "a b", " a", "a\u{E4}",
                    "\u{E4}.example", "a\u{3002}b", label63 + "a", name253 + "a", name253 + ".", "a/b", "a:80", "[::1]",
                    "a\u{0}", "xn-", "xn--", "xn---tda", "xn--a", "xn--abc-", "xn--X", "xn--99999999",
                    "xn--aa---o47jg78q",
                    "xn--hello-txk", "xn--ls8h", "xn--7ba",
                ]),
            FormatTable(
                format: .ipv4,
                good: ["0.0.0.0", "255.255.255.255", "1.2.3.4", "10.0.100.99"],
                bad: [
                    "", "1.2.3", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4.", "1.2.3.4.5", "256.1.1.1", "1.1.1.256",
                    "01.1.1.1", "1.1.1.00", "1.1.1.1 ", " 1.1.1.1", "1.1.1.a", "0x1.1.1.1", "1.1.1.1/8", "1111.1.1.1",
                    "+1.1.1.1", "1.1.1.-1", "1,1,1,1", "\u{661}.1.1.1", "99999999999999", "....", "1.1.1.1\u{0}",
                ]),
            FormatTable(
                format: .ipv6,
                good: [
                    "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8", "1:2:3::6:7:8",
                    "ABCD:ef01:2345:6789:abcd:EF01:2345:6789", "::1.2.3.4", "::ffff:255.255.255.255",
                    "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5::1.2.3.4", "1::1.2.3.4", "0:0:0:0:0:0:0:0", "2001:db8::",
                    "0000:0000:0000:0000:0000:0000:255.255.255.255", "1:2:3:4::6:7:8", "::8:1.2.3.4",
                ],
                bad: [
                    "", ":", ":::", "1", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
                    "::1:2:3:4:5:6:7:8", "1::2::3", "1:::2", "12345::", "::12345", "::g", "1:2:3:4:5:6:7:", "::1:",
                    ":1::", "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:6:7:8:1.2.3.4", "1:2:3:4:5:6::1.2.3.4", "::1.2.3",
                    "::1.2.3.4.5", "::1.2.3.256", "::01.2.3.4", "::1.2.3.4:5", "1.2.3.4", "1.2.3.4::", "::a.2.3.4",
                    "fe80::1%eth0", "[::1]", "::/64", " ::1", "::1 ", "\u{FF1A}:1", "::.1.2.3",
                ]),
            FormatTable(
                format: .email,
                good: [
                    "a@b", "a.b@c.d", "A+b!#$%&'*-/=?^_`{|}~9@example.com", "\"\"@a", "\"a b\"@a", "\"a@b\"@a",
                    "\"a..b\"@a", "\".\"@a", "\"a\\\"b\"@a", "\"a\\\\\"@a", "\"\\ \"@a", "a@[1.2.3.4]", "a@[IPv6:::1]",
                    "a@[ipV6:1:2:3:4:5:6:7:8]", String(repeating: "a", count: 64) + "@b", "a@xn--bcher-kva.example",
                    "a@1", "a@" + name253,
                ],
                bad: [
                    "", "a", "@", "a@", "@a", "a@b@c", ".a@b", "a.@b", "a..b@c", "a b@c", "a@b c", "a@-b", "a@b-",
                    "a@b.", "a@.b", "a@b..c", "a@b_c", "\"@a", "\"a\"b@c", "\"a\".b@c", "a\"b\"@c", "a.\"b\"@c",
                    "\"a\\\"@b", "\"a\u{9}\"@b", "\"\u{E4}\"@b", "\u{E4}@b", "a@\u{E4}", "a@[1.2.3]", "a@[1.2.3.256]",
                    "a@[::1]", "a@[IPv6:1]", "a@[IPv6:]", "a@[]", "a@[", "a@]", "a@[1.2.3.4", "a@1.2.3.4]",
                    "a@[1.2.3.4]b", "a@[tag:text]", String(repeating: "a", count: 65) + "@b", "a@" + name253 + "a",
                    "<a@b>", "a <a@b>", "a(c)@b", "a@b ", " a@b", "a,b@c", "a:b@c", "a;b@c", "a\\b@c", "a\u{0}@b",
                ]),
        ])
    func tables(_ table: FormatTable) {
        #expect(table.misjudged == [])
    }
}
