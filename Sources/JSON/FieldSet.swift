/// An allow-list of the members that a record keeps when it is landed.
///
/// It applies to the elements of an array as to the array itself. A value that is not an object or array is kept as it
/// is: an expandable member may be the id or the object.
package indirect enum FieldSet: Sendable, Equatable {
  /// Keep the value as it is.
  case all
  /// Of an object, keep these members, each by its own list, and drop the others.
  case fields([String: FieldSet])

  /// Both lists together: a member is kept if either keeps it.
  package func union(_ other: FieldSet) -> FieldSet {
    guard case .fields(let mine) = self, case .fields(let theirs) = other else { return .all }
    return .fields(mine.merging(theirs) { $0.union($1) })
  }
}

extension FieldSet: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, FieldSet)...) {
    self = .fields(Dictionary(elements) { $0.union($1) })
  }
}

extension FieldSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: String...) {
    self = .fields(Dictionary(elements.map { ($0, .all) }) { $0.union($1) })
  }
}
