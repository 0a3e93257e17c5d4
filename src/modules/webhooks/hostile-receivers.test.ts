/**
 * Receivers that do whatever they can to a gateway, all at once, and one that is as it should be:
 * that one gets what it is to get, in order, and of each other the deliveries say what was wrong.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { until } from "../../e2e/harness/until.ts";
import { makeExpiredCertificate } from "../../webhooks/testing/expired-certificate.ts";
import {
  type Certificate,
  type Endpoint,
  makeCertificate,
} from "../../webhooks/testing/https-endpoint.ts";
import {
  type Behaviour,
  type RawEndpoint,
  startRawEndpoint,
} from "../../webhooks/testing/raw-endpoint.ts";
import { roundTrip } from "../../webhooks/testing/round-trip.ts";
import { createWebhooksBench, type WebhooksBench } from "./testing/webhooks-bench.ts";

const GIGABYTE = 1_000_000_000;
/** What buffers on both sides may take of an answer that nobody reads. */
const TAKEN_MAX = 64 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, "x");
const HEAD = "HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n";

interface Hostile {
  readonly behave: Behaviour;
  /** Whose the server's is, if it speaks TLS at all: the gateway trusts the first two. */
  readonly certificate?: "trusted" | "expired" | "stranger" | "none";
  readonly host?: string;
  /** Only the time limit ends it. */
  readonly hangs?: true;
  /** What the delivery says of it. */
  readonly told: object;
}

const unanswered = (error: string) => ({
  ...{ status: "pending", httpStatus: null, responseBody: null },
  error: expect.stringMatching(new RegExp(error)),
});
const LATE = unanswered("^No answer within 10 s$");
const CLOSED = unanswered("^The endpoint closed the connection before it had answered: ");
const NO_TLS = unanswered("^The endpoint does not speak TLS at this port");
const answered = (httpStatus: number, responseBody: string) => ({
  ...{ status: "pending", httpStatus, responseBody },
  error: `The endpoint answered ${httpStatus}`,
});
const taken = (responseBody: string) => ({
  ...{ status: "success", httpStatus: 200, responseBody, error: null },
});

/** Bytes that a server has handed over to be sent. */
let flooded = 0;
/** Each sends the next byte of an answer that comes drop by drop. */
const drips: (() => void)[] = [];
let elsewhere: Endpoint;

const silent: Behaviour = () => undefined;
const afterHead =
  (act: (socket: Parameters<Behaviour>[0]) => void): Behaviour =>
  (socket, heard) =>
    void heard.then(() => act(socket));
const sends = (text: string) => afterHead((socket) => socket.write(text));
const sendsAndCloses = (text: string) =>
  afterHead((socket) => socket.write(text, () => socket.destroy()));
const dripping = (atOnce: string, rest: string) =>
  afterHead((socket) => {
    const bytes = [...rest];
    socket.write(atOnce);
    drips.push(() => void (socket.writable && socket.write(bytes.shift() ?? "")));
  });
/** Sends as fast as it is taken, up to a gigabyte. */
const flooding = (head: string) =>
  afterHead((socket) => {
    let left = GIGABYTE;
    const go = (): void => {
      while (left > 0 && socket.writable) {
        left -= PIECE.length;
        flooded += PIECE.length;
        if (!socket.write(PIECE)) return;
      }
    };
    socket.on("drain", go);
    socket.write(head);
    go();
  });
const redirecting = (status: number) =>
  afterHead((socket) => {
    const location = `https://hooks.test:${elsewhere.port}/there`;
    socket.end(`HTTP/1.1 ${status} Away\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);
  });

const HOSTILE: Readonly<Record<string, Hostile>> = {
  "takes the connection and never answers": { behave: silent, hangs: true, told: LATE },
  "takes the connection and never greets": {
    ...{ behave: silent, certificate: "none", hangs: true, told: LATE },
  },
  "drips the head of its answer": {
    ...{ behave: dripping("", "HTTP/1.1 200 OK\r\nx-slow: yes\r\n"), hangs: true, told: LATE },
  },
  "drips the body of its answer": {
    behave: dripping("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nit ", "goes on and on"),
    ...{ hangs: true, told: taken("it goes on an") },
  },
  "answers a gigabyte": { behave: flooding(HEAD), told: taken("x".repeat(1_024)) },
  "answers headers without an end": {
    behave: flooding("HTTP/1.1 200 OK\r\nx-long: "),
    told: unanswered("^The headers of the endpoint's answer are too long: "),
  },
  "answers a megabyte of headers": {
    behave: sends(`HTTP/1.1 200 OK\r\n${`x-header: ${"y".repeat(990)}\r\n`.repeat(1_000)}\r\n`),
    told: unanswered("^The headers of the endpoint's answer are too long: "),
  },
  "is no web server": {
    behave: sends("220 mail.test ESMTP\r\n\r\n"),
    told: unanswered("^What the endpoint answered is not HTTP: "),
  },
  "closes before it reads": { behave: (socket) => socket.destroy(), told: CLOSED },
  "closes before the head of its answer": { behave: sendsAndCloses(""), told: CLOSED },
  "closes in the head of its answer": {
    ...{ behave: sendsAndCloses("HTTP/1.1 200 OK\r\ncontent-le"), told: CLOSED },
  },
  "closes in the body of its answer": {
    behave: sendsAndCloses("HTTP/1.1 500 Oh\r\ncontent-length: 99\r\n\r\nhalf"),
    told: answered(500, "half"),
  },
  "closes before it greets": {
    ...{ behave: (socket) => socket.destroy(), certificate: "none", told: CLOSED },
  },
  "speaks no TLS": {
    behave: (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    ...{ certificate: "none", told: NO_TLS },
  },
  "has a certificate of its own making": {
    ...{ behave: silent, certificate: "stranger" },
    told: unanswered("^The endpoint's certificate is of an authority that the gateway does not"),
  },
  "has a certificate that has expired": {
    ...{ behave: silent, certificate: "expired" },
    told: unanswered("^The endpoint's certificate has expired: "),
  },
  "has a certificate for another name": {
    ...{ behave: silent, host: "other.test" },
    told: unanswered("^The endpoint's certificate is for another name: .*other\\.test"),
  },
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `leads elsewhere by ${status}`,
      { behave: redirecting(status), told: answered(status, "") },
    ]),
  ),
};

const DEVICES = ["d1", "d2", "d3"];
let certificates: Readonly<Record<"trusted" | "expired" | "stranger", Certificate>>;
let bench: WebhooksBench;
let good: Endpoint;
let goodId: string;
const servers = new Map<string, { readonly server: RawEndpoint; readonly webhookId: string }>();
/** Devices of which the good one had heard before the first second was over. */
let heardAtOnce: readonly string[];

const hanging = (): string[] => Object.keys(HOSTILE).filter((name) => HOSTILE[name]?.hangs);
const placeOf = (name: string) => {
  const place = servers.get(name);
  if (place === undefined) throw new Error(`no server ${name}`);
  return place;
};
const firstOf = async (name: string) => (await bench.deliveries(placeOf(name).webhookId)).at(-1);
const isTried = async (name: string) => (await firstOf(name))?.attempt === 1;
const heard = () => good.received.map(({ body }) => JSON.parse(body).data.device.id);

beforeAll(async () => {
  certificates = {
    ...{ trusted: makeCertificate(), expired: makeExpiredCertificate() },
    stranger: makeCertificate(),
  };
  const { trusted, expired } = certificates;
  writeFileSync(trusted.caFile, `${trusted.cert}${readFileSync(expired.caFile, "utf8")}`);
  bench = await createWebhooksBench({ certificate: trusted });
  [elsewhere, good] = [await bench.endpoint(), await bench.endpoint()];
  for (const [name, { behave, certificate = "trusted", host }] of Object.entries(HOSTILE)) {
    const own = certificate === "none" ? undefined : certificates[certificate];
    const server = await startRawEndpoint(own, behave);
    const place = host === undefined ? server : { port: server.port, host };
    servers.set(name, { server, webhookId: (await bench.subscribe(place)).id });
  }
  goodId = (await bench.subscribe(good)).id;
  await bench.happens(...DEVICES);
  await until("the good one", () => good.received.length === DEVICES.length);
  heardAtOnce = heard();
  for (const name of Object.keys(HOSTILE)) {
    if (!HOSTILE[name]?.hangs) await until(name, () => isTried(name));
    else await until(name, () => placeOf(name).server.connections() > 0);
  }
  await until("those that drip", () => drips.length === 2);
  for (let second = 1; second <= 10; second += 1) {
    for (const drip of drips) drip();
    await roundTrip(good);
    bench.clock.advance(1_000);
  }
  for (const name of hanging()) await until(name, () => isTried(name));
});
afterAll(async () => {
  await bench?.close();
  for (const { server } of servers.values()) await server.stop();
  for (const one of Object.values(certificates ?? {})) one.remove();
});

test("a receiver beside them gets every delivery at once, in order", async () => {
  expect(heardAtOnce).toEqual(DEVICES);
  const [last, ...before] = await bench.deliveries(goodId);
  expect([last, ...before]).toMatchObject(
    DEVICES.map(() => ({ status: "success", attempt: 1, error: null })),
  );
});

describe("of a receiver that", () => {
  test.each(Object.keys(HOSTILE))("%s the delivery says so", async (name) => {
    expect(await firstOf(name)).toMatchObject({ attempt: 1, ...HOSTILE[name]?.told });
  });

  test.each(hanging())("%s the connection is closed, and the next one begins", async (name) => {
    const { server } = placeOf(name);
    await until("the next", () => server.connections() === 2);
    await until("the end of the first", () => server.open() === 1);
  });

  test("answers more than is read, most is never sent", async () => {
    for (const name of ["answers a gigabyte", "answers headers without an end"]) {
      await until(name, () => placeOf(name).server.open() === 0);
    }
    expect(flooded).toBeLessThan(2 * DEVICES.length * TAKEN_MAX);
  });

  test("leads elsewhere nothing gets there", () => {
    expect([elsewhere.connections(), elsewhere.received]).toEqual([0, []]);
  });
});
