#if WITHOUT_URL_SESSION
    /// Fails every request: the released programs have no HTTP client but libcurl, and this system lacks it.
    ///
    /// Foundation's `URLSession` would link libcurl and everything that libcurl needs into the start of each command.
    struct MissingTransport: DeliveryTransport {
        func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
            throw DeliveryTransportError(
                .other, "HTTP needs libcurl 7.68 or newer: install it (Debian, Ubuntu: libcurl4; Fedora: libcurl)")
        }
    }
#endif
