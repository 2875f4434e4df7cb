import Foundation
import JSONLines
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test(
        "a decoded value equals the encoded one",
        arguments: [
            .null, true, false, 0, -1, 9_007_199_254_740_991, 0.5, -1e300, "", "true", "1", [], [:], [[nil, [1]]],
            ["a": ["b": [1, 2.5, "c", nil, false]], "": [:]],
        ] as [JSONValue])
    func roundTrip(value: JSONValue) throws {
        let bytes = try JSONLineEncoder.encode(value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) == value)
        #expect(try JSONParser.parse(bytes) == value)
    }

    @Test("an integer beyond 64 bits is decoded as a number")
    func largeInteger() throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: Data("18446744073709551616".utf8))
        #expect(value == .number(18_446_744_073_709_551_616))
    }
}
