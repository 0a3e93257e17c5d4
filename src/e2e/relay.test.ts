/**
 * The example relay between the gateway and Google's end, each a server of its own on loopback: apps
 * are woken, and nobody but the gateway has them woken.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ScriptedController } from "../modules/controllers/testing/scripted-controller.ts";
import { signatureHeaders } from "../webhooks/signature.ts";
import { Box } from "./harness/box.ts";
import { type Gateway, registerShop, type Shop, startGateway } from "./harness/gateway.ts";
import { type FcmCall, type FcmError, type Google, startGoogle } from "./harness/google.ts";
import { programEnvironment } from "./harness/other-runtime.ts";
import { type OwnProcess, startOwnProcess } from "./harness/own-process.ts";
import { until } from "./harness/until.ts";

const COMMAND = [process.execPath, join(import.meta.dir, "../../docs/examples/relay.ts")];
const KEY = "a long random text";
/** Longer ago than the relay believes, in milliseconds. */
const STALE_MS = 301_000;
/** Further ahead than it believes, on a busy machine too. */
const AHEAD_MS = 900_000;
/** More than it reads. */
const ENDLESS = "x".repeat(16_385);

const UNREGISTERED: FcmError = { code: 404, status: "NOT_FOUND", errorCode: "UNREGISTERED" };
const UNAVAILABLE: FcmError = { code: 503, status: "UNAVAILABLE", errorCode: "UNAVAILABLE" };

const box = new Box();
let google: Google;
let relay: Relay;
/** One that waits for Google no longer than it does in a shop. */
let impatient: Relay;
let gateway: Gateway;
let shop: Shop;
const tokens = new Set<string>();
let sent = 0;

beforeAll(async () => {
  google = box.keep(await startGoogle(box.folder));
  [relay, impatient] = await Promise.all([startRelay({ GOOGLE_MS: "600000" }), startRelay()]);
  const args = [
    ...[`--push-relay-url=${relay.url}`, `--push-relay-key=${KEY}`],
    // However slow the machine is, what waits is woken for first.
    ...["--commands-push-wait-seconds=600", "--commands-overall-seconds=900"],
  ];
  gateway = box.keep(await startGateway(box.stateDir, { args }));
  shop = await registerShop(gateway.url);
});
afterAll(() => box.clear());

interface Relay extends OwnProcess {
  readonly url: string;
}

/** What a relay needs in its environment. */
const settings = (): Readonly<Record<string, string>> => ({
  ...{ ...programEnvironment(), ...google.env },
  ...{ FISCALD_RELAY_KEY: KEY, PORT: "0" },
});

async function startRelay(more: Readonly<Record<string, string>> = {}): Promise<Relay> {
  const own = box.keep(startOwnProcess(COMMAND, { ...settings(), ...more }));
  const port = await until("the relay", () => /listening on port (\d+)/.exec(own.output())?.[1]);
  return { ...own, url: `http://127.0.0.1:${port}/wake` };
}

/** A registration token as FCM has them, of nobody else. */
function newToken(): string {
  const token = `fMEP0vJqS0:APA91b-${tokens.size}-${crypto.randomUUID()}`;
  tokens.add(token);
  return token;
}

/** An app that has served a device, has registered a token and sleeps. */
async function fallAsleep(controllerId: string) {
  const { till, key } = shop;
  const { id: deviceId } = await till.expect<{ id: string }>("POST", "/devices", {
    ...{ name: controllerId, driver: "vendorA.isl", locationId: "shop", managedBy: "remote" },
    ...{ transport: "bluetooth", connectionParams: { address: "AA:BB:CC:DD:EE:FF" } },
  });
  const connect = () => ScriptedController.connect(gateway.url, { credential: key, controllerId });
  const app = await connect();
  app.announce(deviceId);
  await app.next("announce.accepted");
  const token = newToken();
  await till.expect("POST", `/controllers/${controllerId}/fcm-token`, { fcmToken: token });
  app.close();
  await app.ended();
  await until("the gateway to know that it sleeps", async () => {
    const path = `/devices/${deviceId}/status`;
    return !(await till.expect<{ controllerOnline: boolean }>("GET", path)).controllerOnline;
  });
  return { deviceId, token, connect };
}

const callsFor = (token: string): readonly FcmCall[] =>
  google.calls.filter(({ message }) => message.token === token);

/** A call to FCM for a token that was answered so. */
const call = (token: string, status: number): Promise<FcmCall> =>
  until(`FCM's answer ${status}`, () => callsFor(token).find((one) => one.status === status));

interface Signed {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Signing {
  readonly key?: string;
  readonly at?: number;
  readonly id?: string;
}

/** A body as the gateway sends it. */
function sign(body: string, { key = KEY, at = Date.now(), id }: Signing = {}) {
  const headers = signatureHeaders({ secret: key, id: id ?? `wake_test_${++sent}`, at, body });
  return { headers: { authorization: `Bearer ${key}`, ...headers }, body };
}

/** What the gateway would send for a token. */
function signed(token: string, signing?: Signing) {
  const data = {
    type: "wake",
    orgId: "org",
    controllerId: "tablet",
    deviceId: "d",
    commandId: "c",
  };
  return sign(JSON.stringify({ token, priority: "high", ttlSeconds: 60, data }), signing);
}

async function post({ headers, body }: Signed, { url } = relay) {
  const response = await fetch(url, { method: "POST", headers, body });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: response.headers.get("retry-after") };
}

test("an app is woken by a message that shows nothing, and is handed its command", async () => {
  const { deviceId, token, connect } = await fallAsleep("tablet");
  const beganAt = Math.floor(Date.now() / 1_000);
  const { id: commandId } = await shop.till.submit(deviceId, "get_status");
  const { message } = await call(token, 200);
  expect(message).toEqual({
    token,
    data: {
      ...{ type: "wake", orgId: expect.any(String), controllerId: "tablet" },
      ...{ deviceId, commandId },
    },
    android: { priority: "HIGH", ttl: "60s" },
    apns: {
      headers: {
        ...{ "apns-push-type": "background", "apns-priority": "5" },
        "apns-expiration": expect.any(String),
      },
      payload: { aps: { "content-available": 1 } },
    },
  });
  const sentAt = Number(message.apns?.headers?.["apns-expiration"]) - 60;
  expect(sentAt).toBeGreaterThanOrEqual(beganAt);
  expect(sentAt).toBeLessThanOrEqual(Date.now() / 1_000);
  const woken = await connect();
  expect((await woken.next("command.dispatch")).command.id).toBe(commandId);
  woken.close();
  expect(google.faults).toEqual([]);
});

test("a command waits while FCM is out of order, and its app is woken after that", async () => {
  const { deviceId, token, connect } = await fallAsleep("phone");
  google.answer(token, UNAVAILABLE);
  const { id: commandId } = await shop.till.submit(deviceId, "get_status");
  await call(token, 503);
  const statusNow = async () => {
    const path = `/commands/${commandId}`;
    const { command } = await shop.till.expect<{ command: { status: string } }>("GET", path);
    return command.status;
  };
  expect(await statusNow()).toBe("pending");
  google.deliver(token);
  await call(token, 200);
  await until("the command to be on its way", async () => (await statusNow()) === "sent");
  const woken = await connect();
  expect((await woken.next("command.dispatch")).command.id).toBe(commandId);
  woken.close();
});

test("a token that FCM does not know any more is cleared at the gateway", async () => {
  const { deviceId, token } = await fallAsleep("gone");
  const shown = () =>
    shop.till.expect<{ fcmToken: string | null }>("PATCH", "/controllers/gone", {
      locationId: "shop",
    });
  expect((await shown()).fcmToken).toBe(token);
  google.answer(token, UNREGISTERED);
  await shop.till.submit(deviceId, "get_status");
  await until("the token to go", async () => (await shown()).fcmToken === null);
});

test("what FCM says, or does not say in time, is told to the gateway", async () => {
  const invalid = { code: 400, status: "INVALID_ARGUMENT", errorCode: "INVALID_ARGUMENT" };
  const cases = [
    [UNREGISTERED, 410],
    [{ ...invalid, field: "message.token", message: "Invalid registration token" }, 410],
    [{ ...invalid, message: "The registration token is not a valid FCM registration token" }, 410],
    [{ ...invalid, field: "message.data[0].value" }, 502],
    [{ ...invalid, message: "Android message is too big" }, 502],
    [{ code: 404, status: "NOT_FOUND" }, 502],
    [{ code: 403, status: "PERMISSION_DENIED", errorCode: "SENDER_ID_MISMATCH" }, 502],
    [{ code: 429, status: "RESOURCE_EXHAUSTED", retryAfter: "60" }, 503, "60"],
    [{ code: 500, status: "INTERNAL", errorCode: "INTERNAL" }, 503],
    [UNAVAILABLE, 503],
    ["silence", 502],
  ] as const;
  const answers = cases.map(([answer]) => {
    const token = newToken();
    google.answer(token, answer);
    return post(signed(token), answer === "silence" ? impatient : relay);
  });
  expect(await Promise.all(answers)).toEqual(
    cases.map(([, status, retryAfter = null]) => ({ status, retryAfter })),
  );
});

test("nobody is woken by what the gateway has not signed just now", async () => {
  const token = newToken();
  const right = signed(token);
  const unsigned = { authorization: `Bearer ${KEY}`, "webhook-id": "wake_unsigned" };
  const other = signed(token, { key: "another key" });
  const own = { authorization: `Bearer ${KEY}` };
  for (const wrong of [
    other,
    { ...other, headers: { ...other.headers, ...own } },
    { ...right, headers: { ...right.headers, authorization: "Bearer another key" } },
    { ...right, headers: { ...right.headers, authorization: KEY } },
    { ...right, body: right.body.replace("wake", "walk") },
    { ...right, headers: { ...right.headers, "x-service-signature": "t=soon,v1=" } },
    { ...right, headers: unsigned },
    signed(token, { at: Date.now() - STALE_MS }),
    signed(token, { at: Date.now() + AHEAD_MS }),
    { ...right, headers: {} },
  ]) {
    expect([wrong, (await post(wrong)).status]).toEqual([wrong, 401]);
  }
  for (const text of ["", "null", "[]", '{"token":7}', '{"token":"t","ttlSeconds":60}']) {
    expect([text, (await post(sign(text))).status]).toEqual([text, 400]);
  }
  // The connection may be closed before the answer is read, and that is lost with it.
  const long = post({ headers: own, body: ENDLESS }).catch(() => ({ status: 413 }));
  expect((await long).status).toBe(413);
  expect(await fetch(relay.url).then(({ status }) => status)).toBe(405);
  expect([...callsFor(token), ...callsFor("t")]).toEqual([]);
  // Sent by the gateway all the same, it is taken.
  expect((await post(right)).status).toBe(200);
});

test("a wake-up that comes again is answered as before, and not sent again", async () => {
  const [taken, refused] = [newToken(), newToken()];
  google.answer(refused, UNAVAILABLE);
  for (const [token, status] of [
    [taken, 200],
    [refused, 503],
  ] as const) {
    const id = `wake_test_${++sent}`;
    const again = () => post(signed(token, { id }));
    const both = await Promise.all([again(), again()]);
    expect([...both, await again()].map((answer) => answer.status)).toEqual(Array(3).fill(status));
    expect(callsFor(token)).toHaveLength(1);
  }
});

test("the relay writes what it did, and no secret", async () => {
  const token = newToken();
  await post(signed(token, { id: "wake_written" }));
  google.answer(token, { ...UNREGISTERED, message: `Nobody has ${token}` });
  await post(signed(token, { id: "wake_unknown" }));
  await until("the output", () => relay.output().includes("wake_unknown"));
  const output = relay.output() + impatient.output();
  expect(output).toContain("200: wake_written, FCM answered 200\n");
  expect(output).toContain("410: wake_unknown, FCM answered 404 UNREGISTERED\n");
  const secrets = [KEY, ...tokens, ...google.secrets()];
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
});

test.each([
  ["its key", "FISCALD_RELAY_KEY", ""],
  ["a service account", "GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/account.json"],
])("the relay does not start without %s", async (_, name, value) => {
  const without = box.keep(startOwnProcess(COMMAND, { ...settings(), [name]: value }));
  expect(await without.exited).toBe(2);
  expect(without.output()).toStartWith(`Set ${name} to `);
});
