/// The time of a line, read from a JSON number without rounding.
struct LineTime {
    /// Whether the number has at most six decimals and no exponent: the form that all writers keep to.
    let isWellFormed: Bool
    /// Microseconds since 1970; nil for another form, and for a time that 64 bits do not hold.
    let microseconds: Int64?

    /// Reads the text of a number.
    init(_ number: UnsafeRawBufferPointer) {
        var value: Int64 = 0
        var decimals = -1
        var isNegative = false
        var isTooLarge = false
        func shift(_ digit: Int64) {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tenfold.addingReportingOverflow(digit)
            (value, isTooLarge) = (sum, isTooLarge || overflow || overflows)
        }
        for byte in number {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if decimals >= 0 { decimals += 1 }
                shift(Int64(byte & 0x0F))
            case UInt8(ascii: ".") where decimals < 0: decimals = 0
            case UInt8(ascii: "-"): isNegative = true
            default:
                (isWellFormed, microseconds) = (false, nil)
                return
            }
        }
        isWellFormed = decimals <= 6
        for _ in 0..<max(0, 6 - max(decimals, 0)) { shift(0) }
        microseconds = isWellFormed && !isTooLarge ? (isNegative ? -value : value) : nil
    }
}
