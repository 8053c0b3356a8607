/// What `init` writes, for a folder and a binary.
struct InitFiles: Sendable {
  /// The folder of the configuration, absolute.
  let folder: String
  /// The binary, absolute.
  let binary: String
  /// The account that runs it every night, which needs no rights beyond the folder.
  let user: String

  /// In the order a person reads them.
  var all: [InitFile] {
    [
      InitFile(
        name: "crossfoot.yml", purpose: "the configuration, every key with a comment",
        content: ConfigurationTemplate.text),
      InitFile(name: "crossfoot.crontab", purpose: "a line for crontab -e", content: crontab),
      InitFile(
        name: "crossfoot.service", purpose: "for systemd: one run",
        content: SystemdService(folder: folder, binary: binary, user: user).text),
      InitFile(name: "crossfoot-failure.service", purpose: "for systemd: started by a failed run", content: failure),
      InitFile(name: "crossfoot.timer", purpose: "for systemd: every night at 04:15", content: timer),
    ]
  }

  private var crontab: String {
    """
    # Every night at 04:15. cron knows no environment of yours: write secrets as ${file:/path} in crossfoot.yml.
    # Nothing is printed after a clean night, so that cron mails only what needs somebody.
    15 4 * * * cd '\(folder)' && '\(binary)' run --quiet --config '\(folder)/crossfoot.yml'

    """
  }

  private var failure: String {
    """
    # To /etc/systemd/system. Started when a night failed, however it ended: replace the command with whatever wakes
    # somebody.
    [Unit]
    Description=Crossfoot: a night failed

    [Service]
    Type=oneshot
    DynamicUser=true
    ExecStart=/usr/bin/logger --priority daemon.alert --tag crossfoot \\
      "a run failed; see journalctl -u crossfoot, crossfoot status and crossfoot doctor"

    """
  }

  private var timer: String {
    """
    # To /etc/systemd/system, beside crossfoot.service.
    [Unit]
    Description=Crossfoot, every night

    [Timer]
    OnCalendar=*-*-* 04:15:00
    # A night that the machine slept through is made up for.
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }
}
