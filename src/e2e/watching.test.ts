/** Watching a gateway: figures, health, doctor, log and diagnostics, of one that runs. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFiles } from "../config/state-files.ts";
import { optionalUrl, text } from "../config/value-kinds.ts";
import { environmentName, SETTING_KEYS, type SettingKey, settingOf } from "../config.ts";
import { Box } from "./harness/box.ts";
import { ApiClient, registerDevice, registerShop, type Shop } from "./harness/gateway.ts";
import { type OwnProcess, startOwnProcess, textOf } from "./harness/own-process.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

const SMTP_PASSWORD = "smtp-secret-1f0c";
const METRICS_KEY = "metrics-secret-9d41";
const FCM_TOKEN = "fMEP0vJqS0:APA91bHun4MxP5egoKMwt2KZFBaFUH";
const OPERATOR_PASSWORD = "op5e5e5e";
const CUSTOMER = "RO12345678";

const box = new Box();
let gateway: OwnProcess;
let program: string;
let url: string;
let shop: Shop;
let deviceId: string;
let webhookSecret: string;
/** Whoever registers at the same box later. */
let stranger: ApiClient;
beforeAll(async () => {
  program = await executable();
  gateway = box.keep(
    startOwnProcess(
      [
        ...[program, "serve", "--state-dir", box.stateDir, "--http-listen=127.0.0.1:0"],
        ...["--http-drain-seconds=0", "--https-certificate=own", "--https-listen=127.0.0.1:0"],
        "--auth-registration=open",
      ],
      { FISCALD_METRICS_KEY: METRICS_KEY },
    ),
  );
  await gateway.line("listening with TLS");
  url = textOf(await gateway.line("listening"), "url");
  shop = await registerShop(url);
  // Nobody answers there, and nobody ever will: TEST-NET-1 of RFC 5737.
  deviceId = await registerDevice(
    shop.owner,
    { driver: "vendorA.isl", host: "192.0.2.1", port: 4999, managedBy: "remote" },
    "Counter",
  );
  const { webhook } = await shop.owner.expect<{ webhook: { secret: string } }>(
    "POST",
    "/org/webhooks",
    { url: "https://hooks.invalid/fiscald", events: ["command.failed"] },
  );
  webhookSecret = webhook.secret;
  const command = await shop.till.submit(deviceId, "print_receipt", {
    ...{ items: [{ name: "Coffee", quantity: 1, price: 1, vatGroup: "VAT1" }] },
    ...{ payments: [{ method: "cash", amount: 1 }], operatorId: 1 },
    ...{ operatorPassword: OPERATOR_PASSWORD, customerCif: CUSTOMER },
  });
  await shop.owner.expect("DELETE", `/commands/${command.id}`);
  const { accessToken } = await new ApiClient(url).expect<{ accessToken: string }>(
    "POST",
    "/auth/register",
    {
      ...{ email: "stranger@shop.example", password: "a password of theirs" },
      ...{ name: "Stranger", organizationName: "Other Shop" },
    },
  );
  stranger = new ApiClient(url, accessToken);
});
afterAll(() => box.clear());

/** Each sample by its name and labels. @throws Error for what Prometheus would not read */
function parse(text: string): Map<string, number> {
  const kinds = new Map<string, string>();
  const samples = new Map<string, number>();
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  for (const line of text.trimEnd().split("\n")) {
    const kind = /^# TYPE ([a-z_:][a-z0-9_:]*) (counter|gauge|histogram)$/.exec(line);
    if (kind?.[1] && kind[2]) {
      if (kinds.has(kind[1])) throw new Error(`${kind[1]} comes twice`);
      kinds.set(kind[1], kind[2]);
      continue;
    }
    if (/^# HELP [a-z_]+ \S/.test(line)) continue;
    const sample =
      /^([a-z_:][a-z0-9_:]*)(\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (-?[0-9.e+-]+)$/.exec(
        line,
      );
    const [, name = "", labels = "", value = ""] = sample ?? [];
    const family = kinds.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "");
    const isCounter = kinds.get(family) === "counter";
    if (
      !kinds.has(family) ||
      Number.isNaN(Number(value)) ||
      isCounter !== name.endsWith("_total")
    ) {
      throw new Error(`not readable: ${line}`);
    }
    if (samples.has(name + labels)) throw new Error(`comes twice: ${line}`);
    samples.set(name + labels, Number(value));
  }
  return samples;
}

const metrics = async (headers: Record<string, string> = {}) => {
  const answer = await fetch(`${url}/metrics`, { headers });
  return { status: answer.status, text: await answer.text() };
};
/** As from another machine: the name that it was called by is none of the loopback's. */
const elsewhere = (headers: Record<string, string> = {}) =>
  metrics({ host: "fiscald.local", ...headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("the figures", () => {
  test("are Prometheus's to read, with bounded labels", async () => {
    await fetch(`${url}/api/v1/devices/${deviceId}`, { headers: bearer(shop.key) });
    await fetch(`${url}/api/v1/devices/dev_00000000000000000000000000`, {
      headers: bearer(shop.key),
    });
    await fetch(`${url}/nothing/${deviceId}`);
    const { status, text } = await metrics();
    expect(status).toBe(200);
    const samples = parse(text);
    expect(samples.get(`fiscald_device_link_up{device="${deviceId}"}`)).toBe(0);
    expect(
      samples.get(
        `fiscald_commands_ended_total{device="${deviceId}",type="print_receipt",status="failed"}`,
      ),
    ).toBe(1);
    expect(samples.get("fiscald_command_seconds_count")).toBe(1);
    const requests = [...samples.keys()].filter((name) => name.startsWith("fiscald_http_requests"));
    const route = 'method="GET",route="/api/v1/devices/:deviceId"';
    expect(requests).toContain(`fiscald_http_requests_total{${route},status="200"}`);
    expect(requests).toContain(`fiscald_http_requests_total{${route},status="404"}`);
    expect(requests).toContain(
      'fiscald_http_requests_total{method="GET",route="none",status="404"}',
    );
    expect(requests.join()).not.toContain("dev_");
    for (const secret of [SMTP_PASSWORD, METRICS_KEY, "Counter", "Coffee"]) {
      expect(text).not.toContain(secret);
    }
  });

  test("are for the machine itself, the key of their own, and scope all", async () => {
    const { key: narrow } = await shop.owner.expect<{ key: string }>("POST", "/org/api-keys", {
      ...{ label: "Screen", scopes: ["receipts", "reports", "devices", "commands"] },
    });
    const statuses = [];
    for (const headers of [
      {},
      bearer("wrong"),
      bearer(narrow),
      bearer(METRICS_KEY),
      bearer(shop.key),
    ]) {
      statuses.push((await elsewhere(headers)).status);
    }
    expect(statuses).toEqual([401, 401, 403, 200, 200]);
    const own = (await elsewhere(bearer(shop.key))).text;
    expect(own).toContain(deviceId);
    expect(own).toContain("fiscald_disk_free_bytes");
    // Of all shops together.
    expect(own).not.toContain("fiscald_http_requests_total");
  });

  test("tell another shop at the box of its own devices alone", async () => {
    const id = await registerDevice(
      stranger,
      { driver: "vendorA.isl", host: "192.0.2.2", port: 4999, managedBy: "remote" },
      "Theirs",
    );
    const { status, text } = await elsewhere(bearer(stranger.credential ?? ""));
    expect(status).toBe(200);
    const names = [...parse(text).keys()].map((key) => key.split("{")[0]);
    expect([...new Set(names)].sort()).toEqual([
      ...["fiscald_device_alert", "fiscald_device_commands_waiting", "fiscald_device_link_up"],
      "fiscald_device_oldest_command_seconds",
    ]);
    expect(text).toContain(id);
    expect(text).not.toContain(deviceId);
    await stranger.expect("DELETE", `/devices/${id}`);
  });

  test("have all the names that the Grafana dashboard asks for", async () => {
    const names = new Set(
      [...parse((await metrics()).text).keys()].map((key) => key.split("{")[0]),
    );
    const dashboard = readFileSync(
      join(import.meta.dir, "../../docs/grafana-dashboard.json"),
      "utf8",
    );
    const asked = [...dashboard.matchAll(/\b(?:fiscald|process)_[a-z_]+\b/g)].map(([name]) => name);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((name) => !names.has(name))).toEqual([]);
  });
});

test("/health tells of printers that do not answer, and names none", async () => {
  const look = async () => {
    const answer = await fetch(`${url}/health`);
    const { checks } = (await answer.json()) as { checks: Record<string, { status: string }> };
    return { code: answer.status, checks };
  };
  expect((await look()).checks).toMatchObject({
    clock: { status: "ok" },
    printers: { status: "ok" },
  });
  // The port for which nobody asks (RFC 863).
  const target = { driver: "vendorA.isl", host: "127.0.0.1", port: 9 };
  const absent = await registerDevice(shop.owner, target, "Bar");
  const health = await until("the check", async () => {
    const found = await look();
    return found.checks.printers?.status === "degraded" ? found : undefined;
  });
  expect<unknown>([health.code, health.checks.printers]).toEqual([
    200,
    {
      status: "degraded",
      detail: "1 of 2 printers cannot print or need a person: see fiscald status",
      findings: [{ code: "printers_need_person", params: { count: 1, total: 2 } }],
    },
  ]);
  await shop.owner.expect("DELETE", `/devices/${absent}`);
});

describe("at the machine", () => {
  const run = (...words: readonly string[]) =>
    runToEnd([program, ...words], {
      env: { FISCALD_STATE_DIR: box.stateDir, FISCALD_HTTPS_CERTIFICATE: "own", PATH: "/bin" },
    });

  test("doctor names a cure for each finding, beside a gateway and without one", async () => {
    const findingsOf = async (env: Record<string, string>) => {
      const ended = await runToEnd([program, "doctor", "--json"], { env });
      expect(ended.code).toBe(1);
      const findings: { about: string; state: string; text: string; cure?: string }[] = JSON.parse(
        ended.out,
      );
      expect(findings.filter(({ state, cure }) => state !== "ok" && !cure)).toEqual([]);
      return findings.map(({ about, state, text }) => `${about} ${state} ${text}`).join("\n");
    };
    const beside = await findingsOf({
      FISCALD_STATE_DIR: box.stateDir,
      FISCALD_HTTPS_CERTIFICATE: "own",
    });
    expect(beside).toMatch(/^Gateway ok .* at http/m);
    expect(beside).toContain("HTTPS ok the certificate is valid until");
    expect(beside).toMatch(/^DNS error hooks\.invalid does not resolve/m);
    expect(beside).toMatch(/^State ok/m);
    expect(beside).toMatch(/^Printer warning Counter: /m);
    const without = await findingsOf({
      FISCALD_STATE_DIR: join(box.folder, "none"),
      FISCALD_HTTP_LISTEN: new URL(url).host,
    });
    expect(without).toMatch(/^Port error .* cannot be listened on: EADDRINUSE/m);
    expect(without).toMatch(/^State error .* does not exist/m);
    expect(without).toMatch(/^HTTPS ok it is off/m);
  });

  test("logs says where to look when nothing was logged here", async () => {
    const file = join(box.folder, "empty-log");
    writeFileSync(file, "");
    const { out, err, code } = await run("logs", "--file", file);
    expect([out, code]).toEqual(["", 3]);
    expect(err).toContain("there is no log here");
    expect(err).toContain("--file");
  });

  test("logs shows the log in words", async () => {
    const file = join(box.folder, "log");
    writeFileSync(file, gateway.output());
    const { out } = await run("logs", "--file", file, "--level", "warn");
    expect(out).toMatch(/^\S+Z WARN {2}command not completed .*type=print_receipt/m);
    expect(out).not.toContain("INFO");
  });

  test("diagnostics holds none of the secrets that there are", async () => {
    const { given, settings } = secretSettings();
    const account = plantAccountKey(box.stateDir);
    await shop.owner.expect("POST", "/controllers/phone/fcm-token", { fcmToken: FCM_TOKEN });
    // Whatever a person or a printer says may have one of them in it.
    const gossip = { driver: "vendorA.isl", host: "192.0.2.2", port: 4999 };
    await registerDevice(shop.owner, { ...gossip, managedBy: "remote" }, `Bar ${FCM_TOKEN}`);
    const inState = secretsIn(box.stateDir);
    // What a mail server or a command of the shop's repeats may stand in any line.
    const said = [...given.values(), webhookSecret, FCM_TOKEN, account].map((secret) =>
      JSON.stringify({ level: "error", time: "", msg: `it said ${secret}`, error: secret }),
    );
    const log = join(box.folder, "log");
    writeFileSync(log, `${gateway.output()}${said.join("\n")}\nplain ${SMTP_PASSWORD}\n`);
    const file = join(box.folder, "diagnostics.json");
    const ended = await runToEnd([program, "diagnostics", "--to", file, "--file", log], {
      env: { FISCALD_STATE_DIR: box.stateDir, FISCALD_HTTPS_CERTIFICATE: "own", ...settings },
    });
    expect([ended.code, ended.err]).toEqual([0, ""]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const route = await shop.owner.call("GET", "/diagnostics");
    expect(route.status).toBe(200);
    const texts = [readFileSync(file, "utf8"), JSON.stringify(route.body)];
    const others = {
      ...{ operatorPassword: OPERATOR_PASSWORD, customer: CUSTOMER, item: "Coffee" },
      ...{ fcmToken: FCM_TOKEN, account },
      ...{ apiKey: shop.key, password: shop.password, webhookSecret, metricsKey: METRICS_KEY },
      login: shop.owner.credential ?? "none",
      keyHash: createHash("sha256").update(shop.key).digest("hex"),
    };
    for (const [name, secret] of [...given, ...inState.entries(), ...Object.entries(others)]) {
      expect(secret.length, String(name)).toBeGreaterThan(5);
      for (const text of texts) expect(text.includes(secret), `${name}: ${secret}`).toBe(false);
    }
    for (const text of texts) {
      for (const part of ["Counter", "print_receipt", "E903", "fiscald_device_link_up"]) {
        expect(text).toContain(part);
      }
    }
    expect(texts[0]).toContain("does not resolve");
    expect(texts[0]).toContain("command not completed");
    expect(texts[0]).toContain("it said [secret]");
  });
});

/** Free text that whoever helps has to see. What is added to the table is a secret until it stands here. */
const FOR_THE_HELPER: readonly SettingKey[] = [
  ...(["acme.contact", "smtp.host", "smtp.user", "smtp.from", "update.from"] as const),
];

/** A secret in every setting that can hold one, by the table of settings, and how it is given. */
function secretSettings() {
  const given = new Map<string, string>();
  const settings: Record<string, string> = {};
  const give = (key: SettingKey, secret: string, value = secret): void => {
    given.set(key, secret);
    settings[environmentName(key)] = value;
  };
  for (const key of SETTING_KEYS) {
    const { kind } = settingOf(key);
    const secret = `${key.replace(/\W/g, "-")}-1f0c`;
    if (key === "smtp.password") give(key, SMTP_PASSWORD);
    else if (kind === text && !FOR_THE_HELPER.includes(key)) give(key, secret);
    else if (kind === optionalUrl) give(key, secret, `https://shop:${secret}@relay.invalid/`);
  }
  const passphrase = join(box.folder, "passphrase");
  writeFileSync(passphrase, "correct horse battery\n");
  give("backup.passphraseFile", "correct horse battery", passphrase);
  expect([...given.keys()]).toContainValues(["acme.dnsCommand", "backup.command", "push.relayUrl"]);
  return { given, settings };
}

/** As of an authority elsewhere, of which the gateway has asked a certificate. */
function plantAccountKey(stateDir: string): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const text = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  writeFileSync(join(stateFiles(stateDir).tls, "acme-account.pem"), text, { mode: 0o600 });
  return text.trim().split("\n").at(-2) ?? "";
}

/** Columns that hold what nobody may have, by their names. */
const SECRET_COLUMN = /(^|_)(hash|secret|token)$/;

/** The secrets in the database's tables, and the private keys beside it. */
function secretsIn(stateDir: string): string[] {
  const database = new Database(stateFiles(stateDir).database, { readonly: true });
  const found: string[] = [];
  const seen: string[] = [];
  const take = (table: string, column: string): void => {
    seen.push(`${table}.${column}`);
    const rows = database.query(`SELECT "${column}" AS value FROM "${table}"`).values();
    found.push(...rows.flat().flatMap((value) => (typeof value === "string" ? [value] : [])));
  };
  const tables = database.query("SELECT name FROM sqlite_schema WHERE type = 'table'").values();
  for (const table of tables.flat().map(String)) {
    const columns = database.query(`SELECT name FROM pragma_table_info('${table}')`).values();
    for (const column of columns.flat().map(String)) {
      if (SECRET_COLUMN.test(column)) take(table, column);
    }
  }
  const own = "SELECT value FROM appliance_values WHERE name IN ('token.secret', 'setup.code')";
  found.push(...database.query(own).values().flat().map(String));
  database.close();
  expect(seen).toContainValues(["api_keys.hash", "users.password_hash", "webhooks.secret"]);
  for (const name of new Bun.Glob("**/*.pem").scanSync(stateDir)) {
    const pem = readFileSync(join(stateDir, name), "utf8");
    const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----\n([^-]{32,})\n-----END/.exec(pem)?.[1];
    // The first lines of all keys of a kind are alike.
    if (key !== undefined) found.push(key.split("\n").at(-2) ?? key);
  }
  return found;
}
