import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { exchange } from "../http/testing/raw-exchange.ts";
import { Box } from "./harness/box.ts";
import {
  ApiClient,
  type Gateway,
  registerDevice,
  registerShop,
  startGateway,
} from "./harness/gateway.ts";
import { type OwnProcess, startOwnProcess, textOf } from "./harness/own-process.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

const box = new Box();
afterAll(() => box.clear());

async function gateway(name: string, ...args: string[]): Promise<Gateway> {
  return box.keep(await startGateway(join(box.folder, name), { args }));
}

/** A request as bytes: head lines, and a JSON body. */
function rawPost(path: string, headers: readonly string[], body: object): string {
  const text = JSON.stringify(body);
  return [
    `POST ${path} HTTP/1.1`,
    ...headers,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Connection: close",
    "",
    text,
  ].join("\r\n");
}

describe("the first registration", () => {
  const BODY = {
    email: "ann@shop.example",
    password: "a long password",
    name: "Ann",
    organizationName: "Shop",
  };
  let url: string;
  let output: () => string;
  beforeAll(async () => {
    const started = await gateway("first");
    url = started.url;
    output = started.output;
  });

  const register = async (headers: readonly string[], change: object = {}): Promise<string> => {
    const request = rawPost("/api/v1/auth/register", headers, { ...BODY, ...change });
    return (await exchange(url, request)).toString();
  };
  const ownHost = () => `Host: ${new URL(url).host}`;
  const setup = async () =>
    runToEnd([await executable(), "setup", "--code", "--state-dir", join(box.folder, "first")]);

  test("is refused to a page from elsewhere, whatever name it gave this machine", async () => {
    const { code, out } = await setup();
    expect(code).toBe(0);
    const setupCode = out.trim();
    const foreign = [
      ["Host: evil.example"],
      ["Host: evil.example:8080", "Origin: http://evil.example:8080"],
      ["Host: localhost.evil.example"],
      [ownHost(), "Origin: https://evil.example"],
      [ownHost(), "Origin: null"],
    ];
    for (const headers of foreign) {
      const answer = await register(headers, { setupCode });
      expect(answer).toContain("403 Forbidden");
      expect(answer).toContain("http.corsOrigins");
    }
  });

  test("needs the code from whoever is not at the machine itself", async () => {
    for (const header of ["X-Forwarded-For: 10.0.0.9", "Forwarded: for=10.0.0.9", "Via: 1.1 x"]) {
      const answer = await register([ownHost(), header]);
      expect(answer).toContain("403 Forbidden");
      expect(answer).toContain("setupCode");
    }
    const wrong = { setupCode: "0000-0000-0000" };
    expect(await register([ownHost(), "X-Real-IP: 10.0.0.9"], wrong)).toContain("403 Forbidden");
  });

  test("takes the code that serve printed and setup shows, once", async () => {
    const setupCode = (await setup()).out.trim();
    expect(output()).toContain(`"setupCode":"${setupCode}"`);
    const headers = [ownHost(), "X-Forwarded-For: 10.0.0.9"];
    expect(await register(headers, { setupCode })).toContain("201 Created");
    const second = { setupCode, email: "eve@evil.example" };
    expect(await register(headers, second)).toContain("403 Forbidden");
    const after = await setup();
    expect([after.code, after.out]).toEqual([2, ""]);
  });

  test("needs the code behind a proxy, also of one that says nothing of whom it speaks for", async () => {
    url = (await gateway("proxied", "--http-trust-proxy=true")).url;
    expect(await register([ownHost()])).toContain("setupCode");
  });

  test("needs no code at the machine itself, nor an origin that is configured", async () => {
    const origin = "https://till.example";
    const other = await gateway("configured", `--http-cors-origins=${origin}`);
    url = other.url;
    const setupCode = (
      await runToEnd([
        ...[await executable(), "setup", "--code"],
        ...["--state-dir", join(box.folder, "configured")],
      ])
    ).out.trim();
    const proxied = ["Host: till.example", `Origin: ${origin}`];
    expect(await register(proxied)).toContain("setupCode");
    expect(await register([ownHost()])).toContain("201 Created");
    expect(await register(proxied, { setupCode })).toContain("403 Forbidden");
  });
});

describe("a shop goes on", () => {
  const KEYED = 60;
  let url: string;
  let till: ApiClient;
  let key: string;
  let deviceId: string;
  beforeAll(async () => {
    const started = await gateway("shop", "--limits-global-max=100");
    url = started.url;
    ({ till, key } = await registerShop(url));
    // Nothing listens there: what is queued stays queued.
    deviceId = await registerDevice(till, { driver: "vendorA.isl", host: "127.0.0.1", port: 9 });
  });

  test("while somebody tries keys that begin like its own", async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 110; attempt++) {
      const forged = key.slice(0, -8) + attempt.toString(16).padStart(8, "0");
      statuses.push((await new ApiClient(url, forged).call("GET", "/devices")).status);
    }
    expect([...new Set(statuses)]).toEqual([401, 429]);
    expect((await till.call("GET", "/devices")).status).toBe(200);
    // And neither do they use up what the address has for requests without a key.
    expect((await new ApiClient(url).call("GET", "/devices")).status).toBe(401);
  });

  test("while one key sends lists in lists in lists", async () => {
    const send = (payload: string) =>
      fetch(`${url}/api/v1/commands`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: `{"deviceId":"${deviceId}","type":"raw_command","payload":${payload}}`,
      });
    const nested = `{"command":${"[".repeat(39_000)}${"]".repeat(39_000)}}`;
    const large = JSON.stringify({ command: "x".repeat(65_536) });
    for (let index = 0; index < KEYED / 4; index++) {
      const [deep, big] = [await send(nested), await send(large)];
      expect([deep.status, big.status]).toEqual([400, 400]);
      expect(await deep.text()).toContain("nested too deep");
      expect(await big.text()).toContain("65536 bytes");
    }
    expect((await till.expect<{ commands: [] }>("GET", "/commands")).commands).toEqual([]);
  });
});

describe("a gateway with few descriptors", () => {
  const DESCRIPTORS = 256;
  let url: string;
  let process: OwnProcess;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    const serve = [
      ...[await executable(), "serve", "--state-dir", join(box.folder, "few")],
      "--http-listen=127.0.0.1:0",
    ];
    const shell = ["/bin/sh", "-c", `ulimit -n ${DESCRIPTORS}; exec "$0" "$@"`];
    process = box.keep(startOwnProcess([...shell, ...serve]));
    url = textOf(await process.line("listening"), "url");
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
  });

  test("answers others while one address holds slow bodies beyond all of them", async () => {
    const { hostname, port } = new URL(url);
    for (let index = 0; index < 2 * DESCRIPTORS; index++) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: "127.0.0.2" });
      socket.on("error", () => undefined);
      socket.resume();
      socket.write("POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n");
      socket.write(
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n",
      );
      sockets.push(socket);
    }
    await until("what is too much is ended", () => {
      const left = sockets.filter((socket) => !socket.closed);
      return left.length <= DESCRIPTORS / 2 || undefined;
    });
    expect(process.output()).toContain("too many connections ended");
    const health = await fetch(`${url}/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ checks: { database: { status: "ok" } } });
    expect(sockets.filter((socket) => !socket.closed).length).toBeGreaterThan(0);
  });
});
