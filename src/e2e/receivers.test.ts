/**
 * The example receivers behind a proxy that ends TLS, as they stand in a shop: they take what the
 * gateway delivers once, and nothing that somebody else, or somebody later, sends them.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { signatureHeaders } from "../webhooks/signature.ts";
import {
  type Certificate,
  type Endpoint,
  makeCertificate,
  type Received,
  startEndpoint,
} from "../webhooks/testing/https-endpoint.ts";
import { Box } from "./harness/box.ts";
import { buildCSharp, C_SHARP_PROGRAMS } from "./harness/c-sharp.ts";
import { type ApiClient, registerShop, startGateway } from "./harness/gateway.ts";
import { hasPrograms, programEnvironment } from "./harness/other-runtime.ts";
import { until } from "./harness/until.ts";

const EXAMPLES = join(import.meta.dir, "../../docs/examples");
/** Longer ago than a receiver believes, in milliseconds. */
const STALE_MS = 301_000;
/** Further ahead than it believes, on a busy machine too. */
const AHEAD_MS = 900_000;
/** More than a receiver reads. */
const ENDLESS = "x".repeat(8_000_001);

interface Example {
  readonly file: string;
  readonly programs: readonly string[];
  /** Makes it ready in an empty folder. @returns the command that runs it at a port */
  prepare(folder: string): Promise<(port: number) => readonly string[]>;
}

const ALL: readonly Example[] = [
  {
    file: "receiver.ts",
    programs: [],
    prepare: async () => () => [process.execPath, join(EXAMPLES, "receiver.ts")],
  },
  {
    file: "receiver.py",
    programs: ["python3"],
    prepare: async () => () => ["python3", join(EXAMPLES, "receiver.py")],
  },
  {
    file: "receiver.php",
    programs: ["php"],
    // Errors are shown where no php.ini says otherwise. -q leaves connections out of its log.
    prepare: async () => (port) => [
      ...["php", "-q", "-d", "display_errors=1", "-S", `127.0.0.1:${port}`],
      join(EXAMPLES, "receiver.php"),
    ],
  },
  {
    file: "receiver.cs",
    programs: C_SHARP_PROGRAMS,
    async prepare(folder) {
      const command = await buildCSharp(join(EXAMPLES, "receiver.cs"), folder);
      return () => command;
    },
  },
];

/** A port that was free a moment ago. */
function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  server.stop();
  return server.port;
}

/** What `php -S` writes of its start, of a connection and of a request. */
const SERVED =
  /^\[[^\]]+\] (PHP .* started|127\.0\.0\.1:\d+ (Accepted|Closing|\[\d+\]: \w+ \/hooks))/;

/** A receiver in a process of its own. */
class Receiver {
  readonly url: string;
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  #output = "";
  /** What it wrote to its standard error, but for the server of PHP, which writes of each request. */
  complaints = "";

  constructor(command: readonly string[], { port, secret, folder }: Place) {
    this.url = `http://127.0.0.1:${port}/hooks`;
    const own = { FISCALD_WEBHOOK_SECRET: secret, FISCALD_WEBHOOK_SEEN: join(folder, "seen") };
    this.#child = Bun.spawn([...command], {
      ...{ cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
      env: { ...programEnvironment(), ...own, PORT: String(port) },
    });
    void this.#read();
    void this.#listen();
  }

  async #listen(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const part of this.#child.stderr) {
      const lines = decoder.decode(part).split("\n");
      this.complaints += lines.filter((line) => line !== "" && !SERVED.test(line)).join("\n");
    }
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const part of this.#child.stdout) this.#output += decoder.decode(part);
  }

  /** What it took so far: type and id of each event. */
  get taken(): readonly string[] {
    return this.#output.split(/\r?\n/).filter((line) => /^[a-z]+\.[a-z]+ \S+$/.test(line));
  }

  /** Waits until somebody listens. */
  ready(): Promise<true> {
    return until("the receiver", () =>
      fetch(this.url).then(
        () => true as const,
        () => undefined,
      ),
    );
  }

  async send(headers: Readonly<Record<string, string>>, body: string): Promise<number> {
    const response = await fetch(this.url, { method: "POST", headers, body });
    await response.arrayBuffer();
    return response.status;
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

interface Place {
  readonly port: number;
  readonly secret: string;
  readonly folder: string;
}

const EXAMPLE_LIST = ALL.filter(({ file, programs }) =>
  hasPrograms(`the example docs/examples/${file}`, programs),
);

describe.each([...EXAMPLE_LIST])("docs/examples/$file", ({ prepare }) => {
  const box = new Box();
  let certificate: Certificate;
  let proxy: Endpoint;
  let owner: ApiClient;
  let webhook: { readonly id: string; readonly secret: string };
  let receiver: Receiver;

  /** What came through the proxy, as the receiver is sent it. */
  const signed = ({ headers }: Received): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("webhook-")));

  beforeAll(async () => {
    certificate = makeCertificate();
    proxy = await startEndpoint(certificate, (response, received) => {
      receiver.send(signed(received), received.body).then(
        (status) => response.writeHead(status).end(),
        () => response.writeHead(502).end(),
      );
    });
    const args = ["--webhooks-allow-loopback=true", `--webhooks-ca-file=${certificate.caFile}`];
    const gateway = box.keep(await startGateway(box.stateDir, { args }));
    ({ owner } = await registerShop(gateway.url));
    const url = `https://127.0.0.1:${proxy.port}/hooks`;
    const body = { url, events: ["command.completed"] };
    ({ webhook } = await owner.expect<{ webhook: typeof webhook }>("POST", "/org/webhooks", body));
    const command = await prepare(box.folder);
    const place = { port: freePort(), secret: webhook.secret, folder: box.folder };
    receiver = new Receiver(command(place.port), place);
    await receiver.ready();
  });
  afterAll(async () => {
    await receiver?.stop();
    await box.clear();
    await proxy?.stop();
    certificate?.remove();
  });

  /** Has the gateway deliver an event. @returns what came through the proxy */
  async function deliver(): Promise<Received> {
    const path = `/org/webhooks/${webhook.id}/test`;
    const { delivery } = await owner.expect<{ delivery: unknown }>("POST", path);
    expect(delivery).toMatchObject({ status: "success", httpStatus: 204 });
    const last = proxy.received.at(-1);
    if (!last) throw new Error("nothing came");
    return last;
  }

  test("takes each event once, however often it comes", async () => {
    const before = receiver.taken.length;
    const event = await deliver();
    const line = `webhook.test ${event.headers["webhook-id"]}`;
    await until("the event", () => receiver.taken.includes(line));
    expect(await receiver.send(signed(event), event.body)).toBe(204);
    await deliver();
    await until("the next event", () => receiver.taken.length >= before + 2);
    expect(receiver.taken.filter((taken) => taken === line)).toEqual([line]);
  });

  test("takes nothing that the gateway has not signed just now", async () => {
    const event = await deliver();
    await until("the event", () => receiver.taken.length === proxy.received.length);
    const { secret } = webhook;
    const body = JSON.stringify({ ...JSON.parse(event.body), id: "evt_forged" });
    const forged = { secret, id: "evt_forged", at: Date.now(), body };
    const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const headers = signed(event);
    for (const [sent, text] of [
      [headers, body],
      [{ ...headers, "webhook-id": "evt_forged" }, event.body],
      [signatureHeaders({ ...forged, secret: other }), body],
      [signatureHeaders({ ...forged, at: Date.now() - STALE_MS }), body],
      [signatureHeaders({ ...forged, at: Date.now() + AHEAD_MS }), body],
      [{ ...signatureHeaders(forged), "webhook-timestamp": "soon" }, body],
      [{ ...signatureHeaders(forged), "webhook-signature": "v1," }, body],
      [{}, body],
      [{}, ""],
    ] as const) {
      expect([sent, await receiver.send(sent, text)]).toEqual([sent, 401]);
    }
    // Sent by the gateway all the same, it would be taken.
    expect(await receiver.send(signatureHeaders(forged), body)).toBe(204);
    await until("the event", () => receiver.taken.includes("webhook.test evt_forged"));
    expect(receiver.taken.filter((taken) => taken.endsWith("evt_forged"))).toHaveLength(1);
  });

  test("does not say that it has taken what it could not read", async () => {
    const before = receiver.taken.length;
    const signed = { secret: webhook.secret, id: "evt_unreadable", at: Date.now() };
    const untyped = ['{"id":"evt_unreadable"}', '{"id":"evt_unreadable","type":5}'];
    for (const body of ["", "{", "event", "null", "[]", "5", '"text"', "{}", ...untyped]) {
      const status = await receiver.send(signatureHeaders({ ...signed, body }), body);
      expect([body, status]).toEqual([body, 500]);
    }
    expect(receiver.taken).toHaveLength(before);
    expect(await deliver()).toMatchObject({ method: "POST" });
    expect(receiver.complaints).toBe("");
  });

  test("reads no more than an event may hold", async () => {
    const before = receiver.taken.length;
    // Some close the connection at once, and what was on its way is lost.
    const status = await receiver.send({}, ENDLESS).catch(() => 413);
    expect([401, 413]).toContain(status);
    expect(receiver.taken).toHaveLength(before);
    expect(await deliver()).toMatchObject({ method: "POST" });
  });
});
