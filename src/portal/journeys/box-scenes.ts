/** Table of scenes of the box itself: its network, its backups, its version, and the end of the day. */

import type { paths } from "../../client/index.ts";
import {
  ALERT,
  holding,
  instead,
  json,
  offline,
  open,
  refusal,
  type Scene,
  SKELETON,
  type Stage,
} from "./staging.ts";

/** What a route answers. */
type Body<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Json } } } };
}
  ? Json
  : never;

const SECTION = "main section";
const AT = "2026-11-24T01:30:12.000Z";
const backup = (day: number, bytes: number) => ({
  name: `fiscald-kasa-4f09c1-202611${day}T013012Z.tar.gz.age`,
  createdAt: `2026-11-${day}T01:30:12.000Z`,
  bytes,
});
const LAST = backup(24, 18_400_000);
const LINES = [
  "sudo systemctl stop fiscald",
  `sudo -u fiscald fiscald restore /media/SHOP/fiscald/${LAST.name} --state-dir /var/lib/fiscald`,
  "sudo systemctl start fiscald",
];

/** A shop whose backups go to a stick. */
const BACKUPS: Body<"/api/v1/backups"> = {
  backups: [LAST, backup(23, 18_100_000), backup(22, 17_900_000)],
  ...{ last: LAST, failed: null, problem: null, startedAt: null, nextAt: "2026-11-25T01:30:00Z" },
  sticks: [
    { name: "SHOP", mounted: true, freeBytes: 14_000_000_000, backups: [LAST] },
    { name: "KINGSTON", mounted: false, freeBytes: null, backups: [] },
  ],
  settings: {
    ...{ to: "usb:SHOP", at: "01:30", keepDays: 14, hasPassphrase: true, timezone: "Etc/UTC" },
    ...{ toFixedBy: null, atFixedBy: null },
  },
  restore: LINES,
};
const FAILED = {
  failed: { at: AT, reason: "no USB stick SHOP is plugged in; there is usb:KINGSTON" },
  problem: `the backup of ${AT} failed: no USB stick SHOP is plugged in; there is usb:KINGSTON`,
};

const CERTIFICATE = {
  names: ["kasa", "kasa.local", "fiscald.local", "localhost", "192.168.1.10"],
  ...{ validFrom: "2026-06-01T00:00:00Z", validUntil: "2027-07-03T00:00:00Z" },
  fingerprint: Array.from({ length: 32 }, (_, at) => (at * 7 + 16).toString(16).slice(-2))
    .join(":")
    .toUpperCase(),
};
const ENDED = { ...CERTIFICATE, validUntil: "2026-11-20T00:00:00Z" };
const PLAIN_ADDRESS = "http://192.168.1.10:8080/";

/** As the box has it, but in a network and with HTTPS; codes are the box's own. */
const inNetwork = (change: Partial<Body<"/api/v1/network">>, then: Scene["play"]) =>
  instead(
    "/network",
    async (route) => {
      const answer: Body<"/api/v1/network"> = await (await route.fetch()).json();
      const qr = answer.addresses[0]?.qr ?? "";
      const address = (url: string) => {
        const { hostname: host, protocol } = new URL(url);
        const kind = host.endsWith("local") ? ("name" as const) : ("address" as const);
        return { url, host, kind, secure: protocol === "https:", qr };
      };
      const urls = ["https://fiscald.local:8443/", "https://192.168.1.10:8443/", PLAIN_ADDRESS];
      await route.fulfill({
        json: {
          ...{ hostname: "kasa", mdnsName: "fiscald.local", onlyHere: false },
          addresses: urls.map(address),
          http: { port: 8080, redirect: "all", plainFrom: ["192.168.1.20"], behindProxy: false },
          https: {
            ...{ status: "ok", detail: null, source: "own", port: 8443 },
            certificate: CERTIFICATE,
            authority: { fingerprint: CERTIFICATE.fingerprint },
          },
          settings: {
            ...{ file: "/var/lib/fiscald/fiscald.toml", isService: true, given: [] },
            restart: "sudo systemctl restart fiscald",
          },
          ...change,
        },
      });
    },
    then,
  );

const UPDATE: Body<"/api/v1/update"> = {
  ...{ version: "1.4.0", installedBy: "archive", architecture: "x64", canLook: true },
  ...{ place: "https://releases.example/fiscald", lacksKey: false },
  newest: {
    ...{ version: "1.5.0", isNewer: true, checkedAt: AT },
    archive: "https://releases.example/fiscald/fiscald-1.5.0-linux-x64.tar.gz",
  },
  ...{ problem: null, brokenOff: null },
  commands: [
    "curl -fLO https://releases.example/fiscald/fiscald-1.5.0-linux-x64.tar.gz",
    "curl -fLO https://releases.example/fiscald/fiscald-1.5.0-linux-x64.tar.gz.minisig",
    "sudo fiscald update fiscald-1.5.0-linux-x64.tar.gz",
  ],
  last: {
    ...{ at: AT, from: "1.4.0", to: "1.4.1", outcome: "went_back", databaseRestored: true },
    reason: "it was not well for long enough",
  },
  versions: [
    { version: "1.4.0", since: "2026-10-02T06:00:00Z" },
    { version: "1.3.2", since: "2026-03-01T06:00:00Z" },
  ],
  migrations: [{ name: "0014_audit_by_actor", at: "2026-10-02T06:00:00Z" }],
};

const toBackup = (sign = SECTION) => open("/settings/backup", sign);
const backups = (change: Partial<typeof BACKUPS>, sign?: string) =>
  instead("/backups", json({ ...BACKUPS, ...change }), toBackup(sign));
const updates = (change: Partial<typeof UPDATE>) =>
  instead("/update", json({ ...UPDATE, ...change }), open("/settings/update", SECTION));

/** Today, with the printer that works past the shop's closing time. */
const pastClosing = instead(
  "/today",
  async (route) => {
    const answer: Body<"/api/v1/today"> = await (await route.fetch()).json();
    const [first, ...others] = answer.devices;
    if (first === undefined) throw new Error("no printer");
    const { id: deviceId, name: deviceName } = first.device;
    const due = { type: "z_report_due", severity: "warning", message: "", detectedAt: AT } as const;
    const alerts = [{ ...due, deviceId, deviceName }];
    await route.fulfill({ json: { ...answer, devices: [{ ...first, alerts }, ...others] } });
  },
  open("/", "main article a[href$='?z']"),
);

export const BOX_SCENES: readonly Scene[] = [
  { name: "setup-7-safety", play: open("/setup/safety", "main form") },
  { name: "today-closing", play: pastClosing },
  {
    name: "actions-z-reminded",
    play: ({ printers, ...stage }: Stage) =>
      open(`/printers/${printers.ready}/actions?z`, "[role=dialog] dl")({ printers, ...stage }),
  },
  { name: "settings-closing", play: open("/settings/closing", "main form") },
  { name: "network", play: inNetwork({}, open("/settings/network", SECTION)) },
  { name: "network-here", play: open("/settings/network", SECTION) },
  {
    name: "network-ended",
    play: inNetwork(
      {
        http: { port: 8080, redirect: "none", plainFrom: [], behindProxy: true },
        https: {
          ...{ status: "failed", detail: "the certificate ended 2026-11-20", source: "files" },
          ...{ port: 8443, certificate: ENDED, authority: null },
        },
      },
      open("/settings/network", SECTION),
    ),
  },
  {
    name: "network-failed",
    play: instead(
      "/network",
      refusal(500, "INTERNAL_ERROR"),
      open("/settings/network", `main ${ALERT}`),
    ),
  },
  { name: "backup-begin", play: toBackup() },
  { name: "backup", play: backups({}) },
  { name: "backup-working", play: backups({ startedAt: new Date().toISOString() }) },
  { name: "backup-problem", play: backups(FAILED, ALERT) },
  {
    name: "backup-fixed",
    play: backups({ settings: { ...BACKUPS.settings, toFixedBy: "file", atFixedBy: "file" } }),
  },
  {
    name: "backup-suggested",
    play: async (stage) => {
      await toBackup("main form")(stage);
      await stage.page.locator("main form button[type=button]").first().click();
      await stage.page.locator("main form input").first().fill("bade-kumi-tone-rase");
    },
  },
  {
    name: "backup-loading",
    play: holding("/backups", open("/settings/backup", SKELETON)),
  },
  {
    name: "backup-offline",
    play: offline(toBackup()),
  },
  { name: "update", play: updates({}) },
  {
    name: "update-newest",
    play: updates({
      ...{
        newest: { ...UPDATE.newest, version: "1.4.0", isNewer: false, archive: "", checkedAt: AT },
      },
      commands: ["sudo fiscald update fiscald-<version>-linux-x64.tar.gz"],
      last: {
        ...UPDATE.last,
        at: AT,
        from: "1.3.2",
        to: "1.4.0",
        outcome: "updated",
        reason: null,
        databaseRestored: false,
      },
    }),
  },
  { name: "update-by-hand", play: open("/settings/update", SECTION) },
];
