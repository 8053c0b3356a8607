import JSON
import Testing

@Suite struct PageSplitterTests {
  /// What the splitter makes of a page: the text of each element, `has_more`, and whether the page is whole.
  func split(_ page: String) -> (elements: [String], hasMore: Bool?, isWhole: Bool) {
    split(Array(page.utf8))
  }

  func split(_ page: [UInt8]) -> (elements: [String], hasMore: Bool?, isWhole: Bool) {
    page.withUnsafeBytes { bytes in
      let splitter = PageSplitter(bytes)
      return (splitter.elements.map { String(decoding: bytes[$0], as: UTF8.self) }, splitter.hasMore, splitter.isWhole)
    }
  }

  @Test func `a sound page gives its elements and has_more`() {
    let page = split(
      #" {"object":"list", "data": [ {"id":"a","x":[1,{"y":"]}"}]} , {"id":"b \" \\"},{}], "#
        + #""has_more" : true , "url":"/v1"} "#
    )
    #expect(page.elements == [#"{"id":"a","x":[1,{"y":"]}"}]}"#, #"{"id":"b \" \\"}"#, "{}"])
    #expect(page.hasMore == true && page.isWhole)
  }

  @Test func `has_more may be before the data, and either may be missing`() {
    #expect(split(#"{"has_more":false,"data":[]}"#) == ([], false, true))
    #expect(split(#"{"data":[{"id":"a"}]}"#) == ([#"{"id":"a"}"#], nil, true))
    #expect(split(#"{"error":{"data":[{"id":"a"}]}}"#) == ([], nil, false))
    #expect(split("<html><body>502</body></html>") == ([], nil, false))
    #expect(split("") == ([], nil, false))
  }

  @Test func `an element that no parser takes is given beside the sound ones`() {
    let page = split(#"{"data":[{"id":"a"},{"id":"b","amount":1e},{"id":"c"}],"has_more":false}"#)
    #expect(page.elements == [#"{"id":"a"}"#, #"{"id":"b","amount":1e}"#, #"{"id":"c"}"#])
    #expect(page.hasMore == false)
  }

  @Test(arguments: [
    #"{"id":"b","list":[1,2}"#, #"{"id":"b""#, #"{"id":"b","name":"open}"#, #"{"id":"b","x":{"y":1}"#, #"{"id":"b"}}"#,
    #"{"id":"b"]"#,
  ])
  func `an element whose brackets do not match costs only itself`(_ broken: String) {
    let page = split(
      "{\"data\":[\n{\"id\":\"a\"},\n\(broken),\n{\"id\":\"c\"},\n{\"id\":\"d\"}\n],\n\"has_more\":true}")
    #expect(page.elements == ["{\"id\":\"a\"}", broken, "{\"id\":\"c\"}", "{\"id\":\"d\"}"])
    #expect(page.hasMore == true && !page.isWhole)
  }

  @Test func `of a hundred records with one broken at any byte ninety-nine survive`() throws {
    let records = (0..<100).map {
      #"{"id":"ch_\#($0)","object":"charge","fee_details":[{"amount":59}],"metadata":{"order_id":"A-\#($0)"}}"#
    }
    let target = Array(records[41].utf8)
    for place in target.indices {
      var broken = target
      broken[place] = 0xff
      let head = "{\"object\":\"list\",\"data\":[" + records[..<41].joined(separator: ",") + ","
      let tail = "," + records[42...].joined(separator: ",") + "],\"has_more\":true}"
      let page = split(Array(head.utf8) + broken + Array(tail.utf8))
      let sound = Set(page.elements.filter { element in (try? reading(element) { $0.jsonText == element }) == true })
      #expect(sound.isSuperset(of: records[..<41]) && sound.isSuperset(of: records[42...]), "byte \(place)")
    }
  }

  @Test func `a page cut at any byte gives the whole elements before the cut and says that it is not whole`() {
    let page = Array(
      #"{"object":"list","data":[{"id":"a","t":"\"]}"},{"id":"b","l":[[]]},{"id":"c"}],"has_more":true}"#.utf8)
    for length in page.indices {
      let cut = split(Array(page[..<length]))
      #expect(!cut.isWhole, "cut at \(length)")
      #expect(cut.elements.count <= 3, "cut at \(length)")
    }
    #expect(split(page).isWhole)
  }
}
