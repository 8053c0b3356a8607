import Landing

/// What earlier pulls of one stream landed, according to their manifests: which files, and from when the stream is
/// covered.
struct AdyenHistory {
  /// One delivered file in the landing zone.
  struct Delivery {
    /// Read again unless it is whole.
    let file: ImportedFile
    let rows: Int
    let manifest: Manifest

    /// Its settlement batch, from its page or its name.
    var batch: Int64? { file.batch ?? AdyenReportName(file.name)?.batch }
  }
  /// The oldest first.
  private(set) var deliveries: [Delivery] = []
  /// Where the coverage of the first pull began.
  private(set) var coversFrom: Int64?
  private var isLanded: [String: Bool] = [:]

  init(_ manifests: [Manifest], provider: String, stream: AdyenStream) {
    for manifest in manifests where manifest.provider == provider && manifest.stream == stream.rawValue {
      coversFrom = min(coversFrom ?? manifest.pull.coversFrom, manifest.pull.coversFrom)
      for page in manifest.pages {
        // A page may hold several files.
        for file in (page.requestID ?? "").split(separator: "\n").compactMap({ ImportedFile(page: String($0)) }) {
          deliveries.append(Delivery(file: file, rows: page.objects, manifest: manifest))
          isLanded[file.sha256] = file.isWhole
        }
      }
    }
  }

  /// Whether a content was landed with nothing of it refused.
  func has(_ sha256: String) -> Bool { isLanded[sha256] ?? false }
}

extension ImportedFile {
  /// A file as its page records it.
  ///
  /// - Parameter batch: recorded where the name does not contain it.
  init(adyen name: String, _ sha256: String, isRefused: Bool, batch: Int64? = nil) {
    let plain = String(name.map { $0.isNewline ? " " : $0 })
    self.init(
      name: plain, sha256: sha256, isWhole: !isRefused, batch: AdyenReportName(plain) == nil ? batch : nil)
  }
}
