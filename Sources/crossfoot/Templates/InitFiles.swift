/// What `init` writes, for a folder and a binary.
struct InitFiles: Sendable {
  /// The folder of the configuration, absolute.
  let folder: String
  /// The binary, absolute.
  let binary: String

  /// In the order a person reads them.
  var all: [InitFile] {
    [
      InitFile(
        name: "crossfoot.yml", purpose: "the configuration, every key with a comment", content: ConfigurationTemplate.text),
      InitFile(name: "crossfoot.crontab", purpose: "a line for crontab -e", content: crontab),
      InitFile(name: "crossfoot.service", purpose: "for systemd: one run", content: service),
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

  private var service: String {
    """
    # To /etc/systemd/system; then: systemctl daemon-reload && systemctl enable --now crossfoot.timer
    [Unit]
    Description=Crossfoot: reconcile payments and orders
    Wants=network-online.target
    After=network-online.target

    [Service]
    Type=oneshot
    WorkingDirectory=\(folder)
    ExecStart="\(binary)" run --config "\(folder)/crossfoot.yml"
    # NAME=value lines with the secrets, readable by root only.
    EnvironmentFile=-/etc/crossfoot/environment
    # 1 says that there are discrepancies: the run itself went well.
    SuccessExitStatus=1
    # User=crossfoot
    NoNewPrivileges=true
    PrivateTmp=true
    ProtectSystem=full
    TimeoutStartSec=6h

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
