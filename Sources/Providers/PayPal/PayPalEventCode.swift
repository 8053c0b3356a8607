import Payments

/// A PayPal event code (`T0006`): what kind of movement a row of the report is (docs/providers/paypal.md section 3,
/// T-codes).
///
/// The first two digits are the group and decide; some codes differ from their group. An unknown code is treated as its
/// group, and reported.
struct PayPalEventCode: Equatable, Sendable {
  enum Meaning: Sendable {
    /// A customer's payment; the same code with an outgoing amount is a payment that we made.
    case payment
    /// Authorised, reauthorised, voided: no money.
    case authorisation
    case refund
    /// Taken for a dispute, or given back.
    case dispute
    case disputeFee
    /// A fee for a partner of the payment.
    case platformFee
    case paymentFee
    case fee
    case conversion
    case funding
    case payout
    /// To where no bank is.
    case otherPayout
    /// Held back, and released.
    case hold
    case adjustment
    /// A payment that was not completed after all: its funding was withdrawn.
    case reversal
    case other
    /// Shown and not booked.
    case display
  }
  let meaning: Meaning
  /// False: a code without a rule, treated as its group.
  let isKnown: Bool

  /// Refunds and reversals: an incoming amount belongs to a payment that we made, unless it refers to a sale of ours.
  static let comesBack: Set<String> = ["T1106", "T1107", "T1113"]

  /// The meaning of a code; `other` for a group without a rule.
  static func of(_ code: String) -> PayPalEventCode {
    if let meaning = exact[code] { return PayPalEventCode(meaning: meaning, isKnown: code != "T9900") }
    guard code.utf8.count == 5, let group = groups[String(code.prefix(3))] else {
      return PayPalEventCode(meaning: .other, isKnown: false)
    }
    return PayPalEventCode(meaning: group.meaning, isKnown: group.isWhole)
  }

  /// The groups, and whether all of their codes are documented as one.
  private static let groups: [String: (meaning: Meaning, isWhole: Bool)] = [
    "T00": (.payment, false), "T01": (.fee, false), "T02": (.conversion, false), "T03": (.funding, false),
    "T04": (.payout, false),
    "T05": (.other, true), "T06": (.other, true), "T07": (.other, true), "T08": (.adjustment, true),
    "T09": (.adjustment, true),
    "T11": (.adjustment, false), "T12": (.adjustment, false), "T13": (.authorisation, true), "T15": (.hold, false),
    "T16": (.other, true),
    "T17": (.otherPayout, true), "T18": (.other, true), "T19": (.adjustment, false), "T20": (.other, false),
    "T21": (.hold, false),
    "T22": (.other, false), "T30": (.other, false), "T50": (.other, false), "T97": (.other, false),
    "T98": (.display, true),
    "T99": (.other, false),
  ]

  private static let exact: [String: Meaning] = {
    var table: [String: Meaning] = [:]
    for (codes, meaning) in listed {
      for code in codes.split(separator: " ") { table["T" + code] = meaning }
    }
    return table
  }()

  private static let listed: [(String, Meaning)] = [
    ("0000 0001 0002 0003 0004 0005 0006 0007 0008 0009 0010 0011 0012 0013 0018 0019", .payment),
    ("0014 0015 0016 0017", .other),
    ("0100 0101 0102 0103 0104 0105 0108 0109 0110 0111 0112", .fee), ("0106 1108", .disputeFee),
    ("0107 1109", .paymentFee),
    ("0113", .platformFee),
    ("0200 0201 0202", .conversion), ("0300 0301 0302 0303", .funding), ("0400 0401", .payout),
    ("1100 1101 1102 1103 1116", .reversal), ("1104 1114 1115 1117 1118 1119", .other), ("1105", .hold),
    ("1106 1110 1111 1201 1202 1205 1207 1208", .dispute), ("1107 1113", .refund),
    ("1200 1203 1204 1900", .adjustment),
    ("1500 1501 1502 1503 2101 2102 2103 2104 2105 2106 2107 2108 2111 2112 2113", .hold),
    ("2000 2001 2002 2003 2201 3000 5000 5001 9701 9702", .other), ("9900", .other),
  ]
}
