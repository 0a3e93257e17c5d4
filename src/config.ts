/**
 * Every setting of the program, in one table. The table feeds the parser, `--help`,
 * `fiscald config`, the settings file of the first set-up and the table in docs/settings.md.
 */

import { AHEAD_MODES, type AheadMode } from "#core/device/ahead-mode.ts";
import {
  OVERALL_SECONDS,
  PAUSE_LIMIT_SECONDS,
  PORT_MAX,
  PUSH_WAIT_SECONDS,
  STATUS_POLL_SECONDS,
} from "#core/limits.ts";
import { defaultStateDir, type Surroundings } from "./config/surroundings.ts";
import {
  backupPlace,
  boolean,
  choice,
  folder,
  integer,
  type ListenAddress,
  label,
  listenAddress,
  names,
  networks,
  optionalFile,
  optionalUrl,
  origins,
  text,
  timeOfDay,
  type ValueKind,
} from "./config/value-kinds.ts";
import { LOG_LEVELS, type LogLevel } from "./platform/log-level.ts";
import { MAIL_SECURITIES, type MailSecurity } from "./platform/mail-security.ts";

export type { ListenAddress } from "./config/value-kinds.ts";

/** One row of the table. */
export interface Setting<T> {
  readonly kind: ValueKind<T>;
  initial(surroundings: Surroundings): T;
  /** Says what the default is where that depends on the surroundings. */
  readonly initialText?: string;
  readonly unit?: string;
  /** One sentence for help and documentation, without a full stop. */
  readonly doc: string;
}

/** Who may register an organization: the first one only, or anybody. */
const REGISTRATION_MODES = ["first", "open"] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** Where the certificate comes from: nowhere, an authority of the gateway's own, or files. */
const CERTIFICATE_SOURCES = ["off", "own", "files", "acme"] as const;
export type CertificateSource = (typeof CERTIFICATE_SOURCES)[number];

/** What is sent on from plain HTTP to HTTPS. */
const REDIRECT_MODES = ["all", "pages", "none"] as const;
export type RedirectMode = (typeof REDIRECT_MODES)[number];

const DAY_SECONDS = 86_400;
const BUCKET_MAX = 1_000_000_000;
const CONNECTIONS_MAX = 1_000_000;
/** The service manager kills what does not end; see TimeoutStopSec in the unit. */
const DRAIN_SECONDS_MAX = 10;

export const SETTINGS = {
  "state.dir": {
    kind: folder,
    initial: defaultStateDir,
    initialText: "/var/lib/fiscald as a service, else ./state",
    doc: "Folder of the database, the keys and the settings file",
  },
  "http.listen": {
    kind: listenAddress,
    initial: (): ListenAddress => ({ host: "0.0.0.0", port: 8080 }),
    doc: "Address of the HTTP server; port 0 picks one",
  },
  "http.trustProxy": {
    kind: boolean,
    initial: () => false,
    doc: "Take the client's address from X-Forwarded-For; only behind a proxy that sets it",
  },
  "http.corsOrigins": {
    kind: origins,
    initial: (): readonly string[] => [],
    doc: "Origins of web pages that may call the API from a browser, and names this machine has",
  },
  "http.connectionsPerAddress": {
    kind: integer(1, CONNECTIONS_MAX),
    initial: () => 256,
    unit: "connections",
    doc: "Connections one address may hold; this machine itself and a proxy in front may hold more",
  },
  "http.drainSeconds": {
    kind: integer(0, DRAIN_SECONDS_MAX),
    initial: () => 1,
    unit: "s",
    doc: "How long /ready says 503 before the port closes, so that a proxy in front sends no more",
  },
  "http.redirect": {
    kind: choice(REDIRECT_MODES),
    initial: (): RedirectMode => "all",
    doc: "What plain HTTP sends on to HTTPS where that is on: all, pages (but not the API) or none",
  },
  "http.plainFrom": {
    kind: networks,
    initial: (): readonly string[] => [],
    doc: "Old tills that are served over plain HTTP all the same; this machine itself always is",
  },
  "https.certificate": {
    kind: choice(CERTIFICATE_SOURCES),
    initial: (): CertificateSource => "off",
    doc: "HTTPS with a certificate of the gateway's own authority, from files, by ACME, or off; a new service has own",
  },
  "https.listen": {
    kind: listenAddress,
    initial: (): ListenAddress => ({ host: "0.0.0.0", port: 8443 }),
    doc: "Address of HTTPS; port 0 picks one",
  },
  "https.names": {
    kind: names,
    initial: (): readonly string[] => [],
    doc: "Further names and addresses of this machine for the certificate; with acme the only ones",
  },
  "https.certFile": {
    kind: optionalFile,
    initial: () => "",
    doc: "PEM file with the certificate and those up to its authority, read again when it changes",
  },
  "https.keyFile": {
    kind: optionalFile,
    initial: () => "",
    initialText: "https.certFile",
    doc: "PEM file with the private key of that certificate",
  },
  "acme.directory": {
    kind: optionalUrl,
    initial: () => "https://acme-v02.api.letsencrypt.org/directory",
    doc: "Directory of the authority that is asked for a certificate by ACME",
  },
  "acme.contact": {
    kind: text,
    initial: () => "",
    initialText: "none",
    doc: "Email address that this authority may write to",
  },
  "acme.acceptTerms": {
    kind: boolean,
    initial: () => false,
    doc: "You have read the terms of this authority and agree to them",
  },
  "acme.dnsCommand": {
    kind: text,
    initial: () => "",
    initialText: "none",
    doc: "Shell command that puts a TXT record into the zone: $1 add or remove, $2 its name, $3 its value",
  },
  "acme.dnsSeconds": {
    kind: integer(0, 3_600),
    initial: () => 60,
    unit: "s",
    doc: "How long it takes until all name servers have that record",
  },
  "acme.caFile": {
    kind: optionalFile,
    initial: () => "",
    doc: "PEM file of the authority that issued the directory's own certificate, where it is a private one",
  },
  "mdns.name": {
    kind: label,
    initial: () => "",
    doc: "Name by which the network finds the gateway: fiscald for fiscald.local, which a new service has",
  },
  "metrics.key": {
    kind: text,
    initial: () => "",
    initialText: "none",
    doc: "Bearer token with which a Prometheus elsewhere reads /metrics; without one only this machine and keys of scope all",
  },
  "log.level": {
    kind: choice(LOG_LEVELS),
    initial: (): LogLevel => "info",
    doc: "How much is logged: debug, info, warn, error or silent",
  },
  "limits.globalMax": {
    kind: integer(1, BUCKET_MAX),
    initial: () => 150,
    unit: "requests",
    doc: "Requests one client may make in a window",
  },
  "limits.authMax": {
    kind: integer(1, BUCKET_MAX),
    initial: () => 30,
    unit: "requests",
    doc: "Requests one client may make to the authentication routes in a window",
  },
  "limits.commandsMax": {
    kind: integer(1, BUCKET_MAX),
    initial: () => 50,
    unit: "requests",
    doc: "Commands one client may submit in a window",
  },
  "limits.windowSeconds": {
    kind: integer(1, DAY_SECONDS),
    initial: () => 600,
    unit: "s",
    doc: "Length of the window of all three limits",
  },
  "auth.registration": {
    kind: choice(REGISTRATION_MODES),
    initial: (): RegistrationMode => "first",
    doc:
      "Who may register an organization: first (one only, with the set-up code) or open (anybody; " +
      "the box and its backups belong to the first)",
  },
  "smtp.host": {
    kind: text,
    initial: () => "",
    doc: "Mail server for codes that set a forgotten password; without one the person at the box gives them out",
  },
  "smtp.port": {
    kind: integer(1, PORT_MAX),
    initial: () => 587,
    doc: "Port of the mail server",
  },
  "smtp.security": {
    kind: choice(MAIL_SECURITIES),
    initial: (): MailSecurity => "starttls",
    doc: "Encryption to the mail server: starttls, tls (from the first byte, usually port 465) or none",
  },
  "smtp.user": {
    kind: text,
    initial: () => "",
    doc: "Login at the mail server, where it asks for one",
  },
  "smtp.password": {
    kind: text,
    initial: () => "",
    initialText: "none",
    doc: "Password of that login",
  },
  "smtp.from": {
    kind: text,
    initial: () => "",
    initialText: "smtp.user",
    doc: "Address that mails come from",
  },
  "smtp.caFile": {
    kind: optionalFile,
    initial: () => "",
    doc: "PEM file of a private authority that issued the mail server's certificate",
  },
  "commands.pushWaitSeconds": {
    kind: integer(1, DAY_SECONDS),
    initial: () => PUSH_WAIT_SECONDS,
    unit: "s",
    doc: "How long a command waits for a controller to connect",
  },
  "commands.overallSeconds": {
    kind: integer(1, DAY_SECONDS),
    initial: () => OVERALL_SECONDS,
    unit: "s",
    doc: "How long a command waits to begin on its device",
  },
  "commands.pauseSeconds": {
    kind: integer(1, DAY_SECONDS),
    initial: () => PAUSE_LIMIT_SECONDS,
    unit: "s",
    doc: "How long a document may stand paused for paper or an open cover",
  },
  "devices.statusSeconds": {
    kind: integer(1, DAY_SECONDS),
    initial: () => STATUS_POLL_SECONDS,
    unit: "s",
    doc: "How often an idle device is asked for its status",
  },
  "printers.whenAhead": {
    kind: choice(AHEAD_MODES),
    initial: (): AheadMode => "alert",
    doc: "What becomes of a printer that has printed what the gateway does not know: alert, hold (until an owner accepts it) or ignore",
  },
  "webhooks.maxAttempts": {
    kind: integer(1, 6),
    initial: () => 5,
    unit: "attempts",
    doc: "How often one webhook delivery is tried, over about three hours; the sixth follows 12 h later",
  },
  "webhooks.allowPrivate": {
    kind: boolean,
    initial: () => true,
    doc: "Whether webhooks may go to private networks such as 192.168.0.0/16",
  },
  "webhooks.allowLoopback": {
    kind: boolean,
    initial: () => false,
    doc: "Whether webhooks may go to this machine itself; for tests",
  },
  "webhooks.caFile": {
    kind: optionalFile,
    initial: () => "",
    doc: "PEM file of certificate authorities that webhooks trust beside the public ones",
  },
  "push.relayUrl": {
    kind: optionalUrl,
    initial: () => "",
    initialText: "none",
    doc: "Relay that wakes the apps of controllers that are not connected",
  },
  "push.relayKey": {
    kind: text,
    initial: () => "",
    initialText: "none",
    doc: "Key that the relay knows this gateway by",
  },
  "update.from": {
    kind: text,
    initial: () => "",
    initialText: "none",
    doc: "Folder or address where newer versions are looked for, once a day; nothing is sent about the machine",
  },
  "backup.to": {
    kind: backupPlace,
    initial: () => "",
    initialText: "backups in the state directory",
    doc: "Where backups go: a folder, usb for the only USB stick, or usb:NAME",
  },
  "backup.passphraseFile": {
    kind: optionalFile,
    initial: () => "",
    doc: "File whose first line encrypts backups; with one, a backup is made every day",
  },
  "backup.at": {
    kind: timeOfDay,
    initial: () => "03:00",
    doc: "When that is, by the machine's clock; off for never",
  },
  "backup.keep": {
    kind: integer(1, 10_000),
    initial: () => 14,
    unit: "days",
    doc: "Days of which a backup is kept at that place, the newest of each; made by hand, they count apart",
  },
  "backup.command": {
    kind: text,
    initial: () => "",
    initialText: "none",
    doc: "Shell command that is given each new backup's path as $1, to take it elsewhere",
  },
  "backup.workFactor": {
    kind: integer(10, 20),
    initial: () => 18,
    doc: "What guessing the passphrase costs: a backup takes 2 to this power KiB of memory",
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingKey = keyof typeof SETTINGS;

/** The value of every setting, by its name: `config["http.listen"].port`. */
export type Config = {
  readonly [K in SettingKey]: ReturnType<(typeof SETTINGS)[K]["initial"]>;
};

/** All names, in the order of the table. */
export const SETTING_KEYS = Object.keys(SETTINGS).filter((key) => isSettingKey(key));

export function isSettingKey(name: string): name is SettingKey {
  return Object.hasOwn(SETTINGS, name);
}

/** A row with its value type left open, for code that treats all rows alike. */
export function settingOf(key: SettingKey): Setting<unknown> {
  return SETTINGS[key];
}

/** The words of a name: `limits.globalMax` is limits, global, max. */
function wordsOf(key: SettingKey): string[] {
  return key.replace(/[A-Z]/g, (letter) => `.${letter.toLowerCase()}`).split(".");
}

/** `http.listen` is `FISCALD_HTTP_LISTEN` in the environment. */
export function environmentName(key: SettingKey): string {
  return `FISCALD_${wordsOf(key).join("_").toUpperCase()}`;
}

/** `http.listen` is `--http-listen` on the command line. */
export function flagName(key: SettingKey): string {
  return `--${wordsOf(key).join("-")}`;
}
