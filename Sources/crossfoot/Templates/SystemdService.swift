/// The systemd unit that `init` writes: one run, by an account without rights beyond its folder.
struct SystemdService: Sendable {
  /// The folder of the configuration, absolute.
  let folder: String
  /// The binary, absolute.
  let binary: String
  /// The account that runs it.
  let user: String

  var text: String { head + Self.hardening + place }

  private var head: String {
    """
    # To /etc/systemd/system; then: systemctl daemon-reload && systemctl enable --now crossfoot.timer
    # The user needs the folder and nothing else: useradd --system \(user); chown -R \(user): '\(folder)'
    [Unit]
    Description=Crossfoot: reconcile payments and orders
    Wants=network-online.target
    After=network-online.target
    OnFailure=crossfoot-failure.service
    # At most four attempts a night.
    StartLimitIntervalSec=6h
    StartLimitBurst=4

    [Service]
    Type=oneshot
    User=\(user)
    WorkingDirectory=\(folder)
    ExecStart="\(binary)" run --config "\(folder)/crossfoot.yml"
    # NAME=value lines with the secrets, readable by root only.
    EnvironmentFile=-/etc/crossfoot/environment
    # 1: there are discrepancies, and the run itself went well.
    SuccessExitStatus=1
    # Again when no provider could be reached, another run held the lock or the machine ended it; not where somebody has
    # to act first.
    Restart=on-failure
    RestartPreventExitStatus=2 64 65 70 74 77 78
    RestartSec=10min
    TimeoutStartSec=6h


    """
  }

  /// As in packaging/crossfoot.service; a test compares them.
  static let hardening = """
    UMask=0027
    NoNewPrivileges=true
    CapabilityBoundingSet=
    AmbientCapabilities=
    PrivateTmp=true
    PrivateDevices=true
    PrivateUsers=true
    ProtectSystem=strict
    ProtectClock=true
    ProtectHostname=true
    ProtectKernelLogs=true
    ProtectKernelModules=true
    ProtectKernelTunables=true
    ProtectControlGroups=true
    ProtectProc=invisible
    RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
    RestrictNamespaces=true
    RestrictRealtime=true
    RestrictSUIDSGID=true
    LockPersonality=true
    MemoryDenyWriteExecute=true
    RemoveIPC=true
    KeyringMode=private
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged

    """

  private var place: String {
    """
    # Where the landing zone, the reports, the store and a Prometheus textfile are.
    ReadWritePaths="\(folder)" -/var/lib/prometheus/node-exporter
    \(isBelowHome ? "ProtectHome=read-only" : "ProtectHome=true")

    """
  }

  /// A folder in somebody's home can only be written where homes can be seen.
  private var isBelowHome: Bool { ["/home/", "/root/", "/run/user/"].contains { "\(folder)/".hasPrefix($0) } }
}
