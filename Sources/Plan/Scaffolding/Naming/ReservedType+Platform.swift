extension ReservedType {
    /// The types of the standard library, concurrency and observation that apps use, and words reserved in place of
    /// types.
    static let swift = """
        Actor AdditiveArithmetic Any AnyActor AnyClass AnyCollection AnyHashable AnyKeyPath AnyObject AnySequence
        Array ArraySlice AsyncIteratorProtocol AsyncSequence AsyncStream AsyncThrowingStream Atomic
        BidirectionalCollection BinaryFloatingPoint BinaryInteger BitwiseCopyable Bool CancellationError
        CaseIterable Character CheckedContinuation Clock ClosedRange Codable CodingKey CodingKeyRepresentable
        CodingKeys CodingUserInfoKey Collection CollectionDifference CollectionOfOne CommandLine Comparable
        ContiguousArray ContinuousClock Copyable CustomDebugStringConvertible CustomReflectable
        CustomStringConvertible Decodable Decoder DecodingError Dictionary DiscardingTaskGroup Double Duration
        DurationProtocol EmptyCollection Encodable Encoder EncodingError EnumeratedSequence Equatable Error
        Escapable Executor ExecutorJob FixedWidthInteger Float Float16 Float32 Float64 FloatingPoint GlobalActor
        Hashable Hasher Identifiable InlineArray InstantProtocol Int Int128 Int16 Int32 Int64 Int8 IteratorProtocol
        Job JobPriority KeyPath KeyValuePairs KeyedDecodingContainer KeyedEncodingContainer
        LosslessStringConvertible MainActor ManagedBuffer MemoryLayout Mirror MutableCollection MutableSpan Mutex
        Never Numeric ObjectIdentifier Observable ObservationRegistrar OpaquePointer OptionSet Optional OutputSpan
        PartialKeyPath PartialRangeFrom PartialRangeThrough PartialRangeUpTo Protocol RandomAccessCollection
        RandomNumberGenerator Range RangeExpression RangeReplaceableCollection RangeSet RawRepresentable RawSpan
        ReferenceWritableKeyPath Regex RegexComponent Repeated Result ReversedCollection Self Sendable
        SendableMetatype Sequence SerialExecutor Set SetAlgebra SignedInteger SignedNumeric
        SingleValueDecodingContainer SingleValueEncodingContainer Slice Span StaticString StrideThrough StrideTo
        Strideable String StringProtocol Substring SuspendingClock SystemRandomNumberGenerator Task TaskExecutor
        TaskGroup TaskLocal TaskPriority TextOutputStream TextOutputStreamable ThrowingDiscardingTaskGroup
        ThrowingTaskGroup Type UInt UInt128 UInt16 UInt32 UInt64 UInt8 UnboundedRange Unicode UnicodeScalar
        UnkeyedDecodingContainer UnkeyedEncodingContainer UnownedJob UnownedSerialExecutor UnsafeBufferPointer
        UnsafeContinuation UnsafeCurrentTask UnsafeMutableBufferPointer UnsafeMutablePointer UnsafeMutableRawPointer
        UnsafePointer UnsafeRawPointer UnsignedInteger Void WritableKeyPath
        """

    /// The types of Foundation that apps use.
    static let foundation = """
        AffineTransform AlignmentOptions AttributeContainer AttributedString AttributedStringAttributeMutation
        AttributedStringProtocol AttributedSubstring BlockOperation Bundle ByteCountFormatter CGFloat CGPoint CGRect
        CGRectEdge CGSize CachedURLResponse Calendar CharacterSet CocoaError ComparableComparator Comparator
        ComparisonResult ContiguousBytes CustomNSError Data DataProtocol Date DateComponents DateFormatter
        DateInterval DateIntervalFormatter Decimal DecodingConfigurationProviding Dimension
        DiscontiguousAttributedSubstring DiscreteFormatStyle DispatchQueue DispatchTime
        EncodingConfigurationProviding EnergyFormatter Expression FileAttributeKey FileAttributeType FileHandle
        FileManager FileManagerDelegate FileProtectionType FileWrapper FormatStyle Formatter HTTPCookie
        HTTPCookieStorage HTTPURLResponse Host ISO8601DateFormatter IndexPath IndexSet InflectionRule InputStream
        JSONDecoder JSONEncoder JSONSerialization KeyPathComparator LengthFormatter Locale LocalizedError
        MassFormatter Measurement Morphology MutableDataProtocol NSArray NSData NSDate NSDictionary NSError NSLock
        NSNumber NSObject NSRange NSString Notification NotificationCenter NotificationQueue NumberFormatter
        OperatingSystemVersion Operation OperationQueue OutputStream POSIXError ParseStrategy ParseableFormatStyle
        PersonNameComponents PersonNameComponentsFormatter Pipe Port Predicate Process ProcessInfo Progress
        ProgressKind ProgressReporting ProgressUserInfoKey PropertyListDecoder PropertyListEncoder
        PropertyListSerialization QualityOfService RecoverableError ReferenceConvertible RunLoop Scanner Selector
        SortComparator SortDescriptor SortOrder Stream StringTransform Thread TimeInterval TimeZone Timer URL
        URLAuthenticationChallenge URLCache URLComponents URLCredential URLError URLFileResourceType URLQueryItem
        URLRequest URLResourceKey URLResourceValues URLResponse URLSession URLSessionConfiguration URLSessionTask
        UUID UndoManager Unit UserDefaults XMLParser
        """
}
