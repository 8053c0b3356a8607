/// Templates for widely used services, each following the service's documentation.
extension WebhookTemplate {
  /// By the value of `template`.
  static let services = ["teams": teams, "pagerduty": pagerDuty, "opsgenie": opsgenie]

  /// Microsoft Teams: a Workflows webhook takes an adaptive card (learn.microsoft.com, "Create incoming webhooks with
  /// Workflows for Microsoft Teams"). A text run has no markup, so no text of a record becomes a link or a mention.
  private static let teams = """
    {"open": {"body": {"type": "message", "attachments": [{
      "contentType": "application/vnd.microsoft.card.adaptive",
      "content": {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
        "body": [
          {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": "{headline|300}",
            "weight": "Bolder", "size": "Medium"}]},
          {"repeat": "line", "type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": "{line}"}]}],
        "actions": [{"type": "Action.OpenUrl", "title": "Open the report", "url": "{url}"}]}}]}}}
    """

  /// PagerDuty: Events API v2 (developer.pagerduty.com). `secret` is the integration's routing key; an incident is
  /// resolved when nothing is open any more.
  private static let pagerDuty = """
    {"open": {"body": {
        "routing_key": "{secret}", "event_action": "trigger", "dedup_key": "{incident}",
        "payload": {
          "summary": "{headline|1024}", "source": "crossfoot",
          "severity": "{severity|critical=critical|high=error|medium=warning|low=info}",
          "custom_details": {"range": "{range}", "verdict": "{verdict}", "message": "{text|20000}"}},
        "links": [{"href": "{url}", "text": "Report"}]}},
      "closed": {"body": {"routing_key": "{secret}", "event_action": "resolve", "dedup_key": "{incident}"}}}
    """

  /// Opsgenie: Alert API (docs.opsgenie.com). `secret` is the integration's key; an alert is closed by its alias.
  private static let opsgenie = """
    {"headers": {"Authorization": "GenieKey {secret}"},
      "open": {"body": {
        "message": "{headline|130}", "alias": "{incident}", "description": "{text|15000}", "source": "crossfoot",
        "priority": "{severity|critical=P1|high=P2|medium=P3|low=P4}",
        "details": {"range": "{range}", "verdict": "{verdict}", "report": "{url}"}}},
      "closed": {"path": "/{incident}/close?identifierType=alias", "body": {
        "source": "crossfoot", "note": "{headline|130}"}}}
    """
}

extension WebhookTemplate {
  /// The template of an entry: a service's, or a file of the team's own; nil where there is none or a mistake was
  /// recorded.
  static func read(_ node: SettingsNode) -> WebhookTemplate? {
    guard let word = node.optionalString("template") else { return nil }
    let known = services.keys.sorted().joined(separator: ", ")
    guard
      let text = services[word]
        ?? (try? String(contentsOfFile: Paths.absolute(word, from: node.folder), encoding: .utf8))
    else {
      node.object(to: "template", "expected one of \(known), or a file with JSON; found no such file")
      return nil
    }
    guard let template = try? WebhookTemplate(json: text) else {
      node.object(
        to: "template",
        "the file is not JSON with the message's body under open.body, as in {\"open\": {\"body\": {\"text\": "
          + "\"{headline}\"}}}"
      )
      return nil
    }
    if let unknown = template.unknownName {
      node.object(to: "template", "nothing is called {\(unknown)}; known are \(names.sorted().joined(separator: ", "))")
      return nil
    }
    return template
  }
}
