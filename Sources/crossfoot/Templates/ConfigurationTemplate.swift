/// The configuration that `init` writes: it stands as soon as the variable is set; what is commented out shows the
/// default or an example.
enum ConfigurationTemplate {
  static let text = """
    # Crossfoot. ${NAME} takes an environment variable, ${file:/path} the content of a file; write no secret here.
    # Relative paths start at this file's folder. Durations: 90s, 10m, 26h, 7d. `crossfoot doctor` checks everything.

    reporting:
      time_zone: UTC                 # IANA name, as in Europe/Amsterdam; days are cut there
      output: output                 # one folder of reports a day; output/latest points at the newest
      # url: https://reports.example.com/crossfoot   # where people open that folder: alerts lead there

    store:
      url: sqlite:crossfoot.db       # or postgresql://user@host:5432/database, where several machines share it

    landing:
      directory: landing             # raw records, append-only: back this up, all else can be made again
      # retention: 400d              # what `crossfoot prune` lets go; without it everything is kept

    orders:
      - name: shop
        kind: csv                    # csv, postgresql or par
        orders: orders.csv           # order_id, placed_at, status, currency, total; optional: provider, tender,
                                     # seller_account, application_fee, payment_references
        # refunds: order_refunds.csv # refund_id, order_id, refunded_at, currency, amount; optional: payment_reference
      # - name: warehouse
      #   kind: postgresql
      #   url: ${ORDERS_DATABASE_URL}
      #   query: orders.sql          # yields the same columns; $1 and $2 bound the window
      #   refunds_query: refunds.sql
      #   look_back: 45d             # how far before the range $1 lies
      # - {name: kiosk, kind: par, directory: par-exports, currency: USD}   # *.jsonl: calls of the ordering front end

    providers:
      - name: stripe
        kind: stripe
        api_key: ${STRIPE_API_KEY}   # a restricted key that may only read is enough
        # Where the order's id stands, tried in this order:
        order_reference: [metadata.order_id, payment_intent]
        connect: true                # false: ask for no transfers and application fees
        # lag: 5m                    # how far the interface runs behind
        # retry: {attempts: 8, wait_at_most: 5m}
        # ca_file: private-ca.pem
        # policy: {settle_within: 7d}   # overrides the policy below
      # - name: paypal
      #   kind: paypal               # needs Transaction Search, Disputes and balances in the app's settings
      #   client_id: ${PAYPAL_CLIENT_ID}
      #   client_secret: ${PAYPAL_CLIENT_SECRET}
      #   order_reference: [custom_id, invoice_id, order]
      # - name: adyen
      #   kind: adyen
      #   merchant_account: AcmeNL
      #   reports_directory: adyen-reports       # or base_url, username and password: then the reports are downloaded
      #   webhooks_directory: adyen-webhooks     # stored notifications; then hmac_keys too
      #   hmac_keys: ["${ADYEN_HMAC_KEY}"]
      #   time_zone: Europe/Amsterdam            # of the account
      #   order_reference: [merchant_reference, merchant_order_reference]
      # - name: afterpay
      #   kind: afterpay
      #   merchant_id: ${AFTERPAY_MERCHANT_ID}
      #   secret_key: ${AFTERPAY_SECRET_KEY}
      #   currency: USD
      #   settlement_directory: afterpay-settlements
      #   settlement_date_format: MM/dd/yyyy
      # - name: cashapp
      #   kind: cash_app
      #   client_id: ${CASH_APP_CLIENT_ID}
      #   settlement_directory: cashapp-settlements   # or settlement_url: sftp://user@host/path, with
      #                                               # settlement_key and settlement_known_hosts

    # policy:
    #   refund_reverses_transfer: true        # what a refund of a destination charge is expected to do
    #   refund_returns_application_fee: true
    #   capture_within: 7d                    # an older authorisation is a discrepancy
    #   expiry_warning: 1d                    # and one that expires within this
    #   order_paid_within: 1d                 # grace before a paid order without a capture is one
    #   settle_within: 5d                     # a capture should be in a payout by then
    #   approval_within: 1h                   # a started payment should be concluded by then
    #   duplicate_refund_within: 10m
    #   report_due_within: 26h                # an expected report should be there by then

    # tolerance:
    #   amount: {default: 0, JPY: 0}          # minor units, per currency
    #   proportional: 1                       # minor units, per proportional reversal or fee refund
    #   provider_fee: 1                       # minor units, against the rate card

    # rate_cards:                             # without one, provider fees are not checked
    #   - {provider: stripe, currency: USD, method: card, percent: 2.9, fixed: 0.30, from: 2026-01-01}

    # alerts:                                 # one message a run and receiver: what is new, worse or resolved
    #   - kind: slack
    #     url: ${SLACK_WEBHOOK_URL}           # an incoming webhook
    #     minimum_severity: high              # the default; critical, high, medium or low
    #   - kind: webhook
    #     url: https://example.com/hook
    #     secret: ${WEBHOOK_SECRET}           # signs each message
    #     provider: [stripe]                  # filters: provider, type, connected_account, owner
    #   - kind: webhook
    #     url: https://events.pagerduty.com/v2/enqueue
    #     template: pagerduty                 # or teams, opsgenie, or a JSON file of your own
    #     secret: ${PAGERDUTY_ROUTING_KEY}    # the service's key
    #   - kind: email
    #     url: smtp://mail.example.com:587    # STARTTLS; or smtps://mail.example.com
    #     username: ${SMTP_USER}
    #     password: ${SMTP_PASSWORD}
    #     from: crossfoot@example.com
    #     to: [finance@example.com]
    #     ca_file: private-ca.pem             # where the certificate comes from an authority of your own
    # heartbeat:                              # so that a run that did not happen is noticed
    #   textfile: /var/lib/prometheus/node-exporter/crossfoot.prom
    #   ping_url: ${PING_URL}                 # asked for after every run that published
    #   start_ping_url: ${START_PING_URL}     # asked for when a run begins

    # severity: {fx_loss: ignore}             # critical, high, medium, low or ignore, by type
    # checks: [our-checks]                    # further folders of checks
    # reports: [our-reports]                  # further folders of reports
    # workbook: {maximum_rows: 1000000}       # of a detail sheet
    # journal: {platform: "1200 Assets:PSP"}  # accounts and codes: docs/operations.md section 12
    # dashboards: {stripe: "https://dashboard.stripe.com/payments/{id}"}

    """
}
