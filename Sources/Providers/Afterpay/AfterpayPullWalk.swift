import Payments

/// A walk over the list of payments, and its checks: it is undocumented whether the link to the next page keeps the
/// window, so every payment must lie in it, and the pages must add up to the total they state
/// (docs/providers/afterpay.md section 1).
struct AfterpayWalk {
  let window: AfterpayWindow
  let label: String
  private(set) var ids: Set<String> = []
  private(set) var idsByToken: [String: String] = [:]
  private var links: Set<String> = []
  private var total: Int64?
  private var outside: String?
  private var unreadable: Int64 = 0

  init(window: AfterpayWindow, label: String) {
    self.window = window
    self.label = label
  }

  /// Records a payment; false when an earlier page already contained it.
  mutating func isNew(_ payment: AfterpayRecord) -> Bool {
    guard !payment.id.isEmpty else {
      unreadable += 1
      return true
    }
    if let created = payment.created, !(window.from...window.to).contains(created) { outside = outside ?? payment.id }
    return note(payment)
  }

  /// Records a payment that was requested by its id.
  @discardableResult
  mutating func note(_ payment: AfterpayRecord) -> Bool {
    if let token = payment.token, !token.isEmpty { idsByToken[token] = payment.id }
    return ids.insert(payment.id).inserted
  }

  /// The link to the next page; nil at the end.
  ///
  /// - Throws: `ProviderFailure` for a list that does not end.
  mutating func next(after page: AfterpayPage) throws(ProviderFailure) -> String? {
    total = page.total ?? total
    guard let next = page.next else { return nil }
    guard links.insert(next).inserted else { throw broken("comes back to a page that it gave before") }
    guard !page.payments.isEmpty else { throw broken("says that there is more and gives nothing") }
    return next
  }

  /// - Throws: `ProviderFailure` when the pages do not match the request.
  func finish() throws(ProviderFailure) {
    if let outside {
      throw broken(
        "holds payment \(outside) from outside the window \(Instant.text(window.from)) to \(Instant.text(window.to)): "
          + "its filter was not kept"
      )
    }
    let found = Int64(ids.count) + unreadable
    if let total, total != found { throw broken("states \(total) payments and holds \(found)") }
  }

  private func broken(_ how: String) -> ProviderFailure {
    ProviderFailure(kind: .other, sentence: "\(label): the list \(how); run again later, or ask Afterpay's support")
  }
}
