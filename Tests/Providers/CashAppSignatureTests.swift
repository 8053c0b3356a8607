import Testing

@testable import Providers

/// A request and its signatures, computed apart from this code (variant A also with Node).
@Suite("The signature of Cash App's Network API") struct CashAppSignatureTests {
  private let headers = [
    ("Accept", "application/json"), ("Authorization", "Client CAS-CI_TEST KEY_test"),
    ("Content-Type", " application/json "),
    ("Host", "sandbox.api.cash.app"), ("X-Region", "PDX"),
  ]
  private let path = "/network/v1/payments?limit=50"

  private func value(_ variant: CashAppAccess.Variant) -> String {
    CashAppSignature(variant: variant).value(method: "GET", path: path, headers: headers, secret: "shhh-secret")
  }

  @Test("the text has the headers in their fixed order, whatever order they are sent in") func text() {
    let text = CashAppSignature(variant: .sample).text(method: "GET", path: path, headers: headers.reversed())
    #expect(
      text == """
        GET
        /network/v1/payments?limit=50
        accept:application/json
        authorization:Client CAS-CI_TEST KEY_test
        content-type:application/json
        host:sandbox.api.cash.app
        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
        """)
  }

  @Test("as the vendor's sample does it") func sample() {
    #expect(value(.sample) == "V1 0b8e8dc95a543d8cf9564677c2fbb7fd7ae374611bb9b38e438f95f6c78d54c8")
  }

  @Test("as the vendor's prose says it, behind the switch") func prose() {
    #expect(value(.prose) == "V1 0484293a4b391941cfeb8bb74d8f06d7101a361ca1bb546fbe5e09d7dbe72d72")
  }

  @Test("a header that is not sent is left out") func absent() {
    let text = CashAppSignature(variant: .sample).text(
      method: "GET", path: "/x", headers: [("Host", "h")], body: Array("{}".utf8))
    #expect(text == "GET\n/x\nhost:h\n44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
  }
}
