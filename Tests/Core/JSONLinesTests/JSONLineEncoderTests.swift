import Foundation
import Testing

@testable import JSONLines

@Suite("JSONLineEncoder")
struct JSONLineEncoderTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLineEncoder.encode(value), as: UTF8.self)
    }

    @Test("four thousand random values equal the output of Foundation's encoder")
    func foundation() throws {
        var random = SeededGenerator(state: 7)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        for _ in 0..<4_000 {
            let value = Tree.random(using: &random, depth: 4)
            let ours = try JSONParser.parse(JSONLineEncoder.encode([value]))
            let theirs = try JSONParser.parse(encoder.encode([value]))
            #expect(ours == theirs)
        }
    }

    @Test("dictionaries are sorted by the bytes of their keys, with any kind of key")
    func dictionaries() throws {
        #expect(try text(["b": 1, "a": 2, "é": 3, "B": 4]) == #"{"B":4,"a":2,"b":1,"é":3}"#)
        #expect(try text([10: "x", 9: "y"]) == #"{"10":"x","9":"y"}"#)
        struct Wrapper: Encodable {
            let content: [String: Int]
            func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
        }
        let many = Dictionary(uniqueKeysWithValues: (100..<200).map { ("k\($0)", $0) })
        let sorted = many.keys.sorted().map { "\"\($0)\":\(many[$0] ?? 0)" }.joined(separator: ",")
        #expect(try text(Wrapper(content: many)) == "{\(sorted)}")
    }

    @Test("collections that the standard library encodes in random order have a fixed order, too")
    func unordered() throws {
        enum Size: String, Encodable { case small, medium, large }
        struct Shelf: Encodable {
            let boxes: [Size: Int]
            let numbers: Set<Int>
        }
        #expect(try text(Set(["d", "a", "c", "b"])) == #"["a","b","c","d"]"#)
        #expect(
            try text(Shelf(boxes: [.small: 1, .medium: 2, .large: 3], numbers: [3, 1, 2]))
                == #"{"boxes":["large",3,"medium",2,"small",1],"numbers":[1,2,3]}"#)
    }

    @Test("integers of 128 bits encode at any position")
    func wideIntegers() throws {
        struct Wide: Encodable {
            let signed = Int128(-1) << 100
            let unsigned = UInt128(1) << 100
            let list: [UInt128] = [18_446_744_073_709_551_616]
        }
        #expect(
            try text(Wide())
                == #"{"signed":-1267650600228229401496703205376,"unsigned":1267650600228229401496703205376,"#
                + #""list":[18446744073709551616]}"#)
        #expect(try text(UInt128.max) == "340282366920938463463374607431768211455")
    }

    @Test("the order is fixed in alternately filled containers, too")
    func unorderedInTurn() throws {
        enum Size: String, Encodable { case small, medium, large, huge }
        struct Odd: Encodable {
            enum Key: String, CodingKey { case a, b }
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Key.self)
                var first = outer.nestedUnkeyedContainer(forKey: .a)
                var second = outer.nestedUnkeyedContainer(forKey: .b)
                try first.encode(Set(["d", "a", "c", "b", "e"]))
                try second.encode([Size.small: 1, .medium: 2, .large: 3, .huge: 4])
                try first.encode(Set([1]))
            }
        }
        #expect(
            try text(Odd())
                == #"{"a":[["a","b","c","d","e"],[1]],"b":[["huge",4,"large",3,"medium",2,"small",1]]}"#)
    }

    @Test("containers may be filled alternately")
    func interleaved() throws {
        struct Odd: Encodable {
            enum Key: String, CodingKey { case a, b, c, d }
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Key.self)
                var first = outer.nestedUnkeyedContainer(forKey: .a)
                var second = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
                try first.encode(1)
                try second.encode(2, forKey: .c)
                try first.encode("three")
                try outer.encode(4, forKey: .c)
                var inner = first.nestedContainer(keyedBy: Key.self)
                try second.encodeNil(forKey: .d)
                try inner.encode(true, forKey: .a)
                try outer.encode(5, forKey: .c)
                try ["x"].encode(to: outer.superEncoder(forKey: .d))
                try 6.encode(to: outer.superEncoder())
            }
        }
        #expect(try text(Odd()) == #"{"a":[1,"three",{"a":true}],"b":{"c":2,"d":null},"c":5,"d":["x"],"super":6}"#)
    }

    @Test("a container that is requested again continues, and a super encoder starts over")
    func continued() throws {
        struct Odd: Encodable {
            enum Key: String, CodingKey { case a, b, c }
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Key.self)
                var list = outer.nestedUnkeyedContainer(forKey: .a)
                var members = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
                try list.encode(1)
                try members.encode(2, forKey: .a)
                var same = outer.nestedUnkeyedContainer(forKey: .a)
                var sameMembers = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
                try same.encode(3)
                try sameMembers.encode(4, forKey: .b)
                try list.encode(5)
                try 6.encode(to: outer.superEncoder(forKey: .c))
                try 7.encode(to: outer.superEncoder(forKey: .c))
            }
        }
        let foundation = JSONEncoder()
        foundation.outputFormatting = .sortedKeys
        let line = #"{"a":[1,3,5],"b":{"a":2,"b":4},"c":7}"#
        #expect(String(decoding: try foundation.encode(Odd()), as: UTF8.self) == line)
        #expect(try text(Odd()) == line)
    }

    @Test("a repeated name keeps its position and gets the last value")
    func storedTwice() throws {
        struct Twice: Encodable {
            let names: [String]
            func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: AnyKey.self)
                for (index, name) in names.enumerated() { try members.encode(index, forKey: AnyKey(name)) }
            }
        }
        #expect(try text(Twice(names: ["a", "b", "a", "c"])) == #"{"a":2,"b":1,"c":3}"#)
        #expect(try text(Twice(names: ["\n\"", "", "\n\"", ""])) == #"{"\n\"":2,"":3}"#)
        let many = (0..<600).map { "k\($0)" }
        let members = many.enumerated().map { "\"\($1)\":\($0)" }
        #expect(try text(Twice(names: many)) == "{\(members.joined(separator: ","))}")
        #expect(try text(Twice(names: many + ["k0"])) == "{\"k0\":600,\(members.dropFirst().joined(separator: ","))}")
    }

    @Test("a subclass next to or within its superclass, and a dictionary next to members, encode in one pass")
    func sharedEncoders() throws {
        class Animal: Encodable {
            let legs = 4
        }
        final class Cat: Animal {
            private enum Key: String, CodingKey { case name }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var members = encoder.container(keyedBy: Key.self)
                try members.encode("Tom", forKey: .name)
            }
        }
        final class Dog: Animal {
            private enum Key: String, CodingKey { case name, isGood }
            override func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: Key.self)
                try super.encode(to: members.superEncoder())
                try members.encode("Rex", forKey: .name)
            }
        }
        struct Flattened: Encodable {
            let name = "n"
            let extra = Dictionary(uniqueKeysWithValues: (0..<9).map { ("x\($0)", $0) })
            private enum Key: String, CodingKey { case name }
            func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: Key.self)
                try members.encode(name, forKey: .name)
                try extra.encode(to: encoder)
            }
        }
        #expect(try text(Cat()) == #"{"legs":4,"name":"Tom"}"#)
        #expect(try text([Dog()]) == #"[{"super":{"legs":4},"name":"Rex"}]"#)
        let extra = (0..<9).map { "\"x\($0)\":\($0)" }.joined(separator: ",")
        #expect(try text(Flattened()) == "{\"name\":\"n\",\(extra)}")
        var json = JSONWriter()
        let isWritten = LineStream.write([Cat(), Dog()], to: &json)
        #expect(isWritten)
    }

    @Test("using an encoder after encoding has no effect")
    func keptEncoder() throws {
        final class Shelf { var containers: [any SingleValueEncodingContainer] = [] }
        struct Kept: Encodable {
            let shelf: Shelf
            func encode(to encoder: any Encoder) throws {
                shelf.containers.append(encoder.singleValueContainer())
                try [1, 2].encode(to: encoder)
            }
        }
        let shelf = Shelf()
        #expect(try text([Kept(shelf: shelf), Kept(shelf: shelf)]) == "[[1,2],[1,2]]")
        for index in shelf.containers.indices { try shelf.containers[index].encode("late") }
        #expect(try text(["a": 1]) == #"{"a":1}"#)
    }

    @Test("an error that a value catches does not affect its bytes")
    func caughtErrors() throws {
        struct Careful: Encodable {
            let values: [Double]
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                for value in values {
                    do { try list.encode([value]) } catch { try list.encode("\(type(of: error))") }
                }
            }
        }
        #expect(try text(Careful(values: [1, .nan, 2])) == #"[[1],"JSONEncodingError",[2]]"#)
    }

    @Test("the coding path is available on request")
    func codingPaths() throws {
        struct Inner: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(encoder.codingPath.map(\.stringValue).joined(separator: "/"))
            }
        }
        #expect(try text(["a": [Inner(), Inner()]]) == #"{"a":["a/0","a/1"]}"#)
    }

    @Test("Foundation's values have the documented forms")
    func foundationValues() throws {
        struct Values: Encodable {
            let date = Date(timeIntervalSince1970: 1_536_753_247.351338)
            let whole = Date(timeIntervalSince1970: 5)
            let url = URL(string: "https://github.com/apple/swift?a=b")
            let data = Data([0, 255])
            let decimal = Decimal(string: "12345678901234567890.125")
            let uuid = UUID(uuidString: "F3476B52-160D-4CB9-9022-DE3B34E732EC")
            let missing: Int? = nil
            let float: Float = 0.1
        }
        #expect(
            try text(Values()) == """
                {"date":1536753247.351338,"whole":5,"url":"https://github.com/apple/swift?a=b","data":"AP8=",\
                "decimal":12345678901234567890.125,"uuid":"F3476B52-160D-4CB9-9022-DE3B34E732EC","float":0.1}
                """)
    }

    @Test("values that JSON can't represent are an error with the path, not the value")
    func errors() {
        struct Inner: Encodable { let list = [1, Double.nan] }
        struct Outer: Encodable { let inner = Inner() }
        struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
        func message(_ value: some Encodable) -> String? {
            let error = #expect(throws: (any Error).self) { try JSONLineEncoder.encode(value) }
            return error.map { "\($0)" }
        }
        #expect(message(Outer())?.hasPrefix("a number at inner.list[1] is NaN or infinite") == true)
        #expect(message(["a b": JSONValue.array([1, ["c": .number(.nan)]])])?.contains(#""a b"[1].c"#) == true)
        #expect(message(Nothing())?.hasPrefix("a value encoded nothing") == true)
        #expect(message(Date(timeIntervalSince1970: .infinity)) != nil)
    }
}

/// A random value with every kind of container that synthesized conformances use.
private indirect enum Tree: Encodable {
    case bool(Bool), integer(Int), unsigned(UInt64), double(Double), string(String), none
    case list([Tree]), map([String: Tree]), record(Record)

    struct Record: Encodable {
        let name: String
        let value: Tree
        let optional: Int?
        let nested: [Int: Tree]
    }

    static func random(using random: inout SeededGenerator, depth: Int) -> Tree {
        let count = Int.random(in: 0...3, using: &random)
        switch Int.random(in: 0...(depth > 0 ? 8 : 5), using: &random) {
        case 0: return .bool(Bool.random(using: &random))
        case 1: return .integer(Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0...63, using: &random))
        case 2: return .unsigned(UInt64.random(in: 0 ... .max >> 1, using: &random))
        case 3:
            let double = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
            return .double(double.isFinite ? double : 0.25)
        case 4: return .string(text(using: &random))
        case 5: return .none
        case 6: return .list((0..<count).map { _ in Tree.random(using: &random, depth: depth - 1) })
        case 7:
            let members = (0..<count).map {
                ("\($0)\(text(using: &random))", Tree.random(using: &random, depth: depth - 1))
            }
            return .map(Dictionary(uniqueKeysWithValues: members))
        default:
            return .record(
                Record(
                    name: text(using: &random), value: Tree.random(using: &random, depth: depth - 1),
                    optional: Bool.random(using: &random) ? 1 : nil,
                    nested: [count: Tree.random(using: &random, depth: depth - 1)]))
        }
    }

    private static func text(using random: inout SeededGenerator) -> String {
        let scalars = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x1FFFF), using: &random))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .none: try container.encodeNil()
        case .list(let value): try container.encode(value)
        case .map(let value): try container.encode(value)
        case .record(let value): try container.encode(value)
        }
    }
}

/// Numbers that are the same in each run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
