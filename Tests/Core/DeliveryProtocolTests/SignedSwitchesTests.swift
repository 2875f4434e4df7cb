import DeliveryProtocol
import Foundation
import JSONLines
import Testing

@Suite("Signed switches")
struct SignedSwitchesTests {
    private let signature = Array(repeating: UInt8(7), count: 64)

    @Test("The JSON text is read back, with every byte of the document")
    func roundTrip() throws {
        for payload in [[], Array("{\"version\":1}\n".utf8), Array(0...255)] as [[UInt8]] {
            var signed = SignedSwitches(payload: payload, key: "pk_01234567", signature: signature)
            #expect(try SignedSwitches(signed.json) == signed)
            #expect(try JSONParser.parse(signed.json)["etag"] == nil)
            signed.tag = "\"abc\""
            #expect(try SignedSwitches(signed.json) == signed)
        }
    }

    @Test("The longest document fits")
    func longest() throws {
        let payload = Array(repeating: UInt8(ascii: " "), count: SwitchesDocument.maximumBytes)
        let signed = SignedSwitches(payload: payload, key: "pk_01234567", signature: signature, tag: "\"abc\"")
        #expect(try SignedSwitches(signed.json).payload.count == payload.count)
    }

    @Test("The signature covers a prefix and the document")
    func message() {
        #expect(SignedSwitches.message(Array("{}".utf8)) == Array("swift-tracking switches 1\n{}".utf8))
    }

    @Test(
        "Other texts are rejected",
        arguments: [
            "", "{}", "[]", #"{"payload":"e30=","key":"k"}"#, #"{"payload":"e30=","key":1,"signature":"\#(valid)"}"#,
            #"{"payload":"e30","key":"k","signature":"\#(valid)"}"#, #"{"key":"k","signature":"\#(valid)"}"#,
            #"{"payload":"e30=","key":"k","signature":"\#(valid)"} x"#,
            #"{"payload":"e30=","key":"k","signature":"BwcHBw=="}"#,
        ])
    func rejected(text: String) {
        #expect(throws: SwitchesDocument.Invalid.self) { try SignedSwitches(Array(text.utf8)) }
    }

    private static let valid = Data(repeating: 7, count: 64).base64EncodedString()

    @Test("A longer text than 96 KiB is rejected")
    func tooLong() {
        let text = #"{"payload":"e30=","key":"k","signature":"\#(Self.valid)"}"#
        let padding = String(repeating: " ", count: SignedSwitches.maximumBytes - text.utf8.count)
        #expect((try? SignedSwitches(Array((text + padding).utf8))) != nil)
        #expect(throws: SwitchesDocument.Invalid.self) { try SignedSwitches(Array((text + padding + " ").utf8)) }
    }

    @Test("An entity tag that could add a field to a request is ignored")
    func tags() throws {
        for tag in [#"\"a\r\nX: 1\""#, #"\"a b\""#, "a", #"\"\#(String(repeating: "a", count: 256))\""#] {
            let text = #"{"payload":"e30=","key":"k","signature":"\#(Self.valid)","etag":"\#(tag)"}"#
            #expect(try SignedSwitches(Array(text.utf8)).tag == nil)
        }
        #expect(SignedSwitches.isTag(#""abc""#) && SignedSwitches.isTag(#"W/"abc""#))
    }

    @Test("A public key is 'pk_' and 64 lowercase hexadecimal digits")
    func keys() throws {
        let text = "pk_" + String(repeating: "0a", count: 32)
        let key = try #require(SwitchesPublicKey(text))
        #expect(key.text == text && key.id == "pk_0a0a0a0a" && key.bytes.count == 32)
        for wrong in [
            "", "pk_", String(text.dropLast()), text + "0a", text.uppercased(), "sk_" + text.dropFirst(3),
            text.replacing("0a0a", with: "0g0a"),
        ] { #expect(SwitchesPublicKey(wrong) == nil) }
    }
}
