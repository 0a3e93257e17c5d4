import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { systemClock } from "../platform/clock.ts";
import { rejection } from "../platform/testing/rejection.ts";
import { publicRoutes } from "./access.ts";
import { AddressUnavailable, type RunningHttp, startHttp } from "./listen.ts";
import { json } from "./request-body.ts";
import type { HttpServerOptions } from "./server.ts";
import { bareServer } from "./testing/bare-server.ts";
import { exchange } from "./testing/raw-exchange.ts";

let release: () => void;
let isWaiting: Promise<void>;
let http: RunningHttp;

function build(change: Partial<HttpServerOptions> = {}) {
  let entered = (): void => {};
  isWaiting = new Promise((resolve) => {
    entered = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return bareServer({
    groups: [
      publicRoutes("Test")
        .post("/echo", ({ body }) => body, { body: json(Type.Object({ note: Type.String() })) })
        .get("/slow", async () => {
          entered();
          await gate;
          return { done: true };
        }),
    ],
    ...change,
  });
}

const local = { hostname: "127.0.0.1", port: 0, clock: systemClock };
beforeEach(() => {
  http = startHttp(build(), local);
});
afterEach(() => http.stop(0));

describe("a listening server", () => {
  test("tells the address it got, and answers there", async () => {
    expect(http.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${http.url}/api/v1/nothing`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("ratelimit-remaining")).toBe("99");
  });

  test("says so when the address is taken", () => {
    const port = Number(new URL(http.url).port);
    const second = () => startHttp(build(), { ...local, port });
    expect(second).toThrow(AddressUnavailable);
    expect(second).toThrow(`127.0.0.1:${port}`);
  });

  test("refuses a body beyond 1 MiB with the envelope, declared or chunked", async () => {
    const large = JSON.stringify({ note: "x".repeat(2 * 1_048_576) });
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    for (const body of [large, chunked]) {
      const answer = await fetch(`${http.url}/api/v1/echo`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      expect(answer.status).toBe(400);
      expect(answer.headers.get("x-request-id")).toBeTruthy();
      expect(await answer.text()).toContain('"BAD_REQUEST"');
    }
  });

  test.each([
    ["UTF-8", Buffer.from("bon-ă-日")],
    ["Latin-1", Buffer.from([0x62, 0xe9, 0xff])],
  ])("gives back a request id of %s bytes as they came", async (_, id) => {
    const request = Buffer.concat([
      Buffer.from("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Request-Id: "),
      id,
      Buffer.from("\r\n\r\n"),
    ]);
    const answer = await exchange(http.url, request);
    expect(answer.toString("latin1").toLowerCase()).toContain(
      `x-request-id: ${id.toString("latin1").toLowerCase()}\r\n`,
    );
  });

  test("finishes what is under way before it stops", async () => {
    const slow = fetch(`${http.url}/api/v1/slow`);
    await isWaiting;
    const stopped = http.stop(60_000);
    release();
    expect(await (await slow).text()).toBe('{"done":true}');
    await stopped;
    await rejection(fetch(`${http.url}/livez`));
  });

  test("does not wait beyond the grace period", async () => {
    const slow = fetch(`${http.url}/api/v1/slow`);
    await isWaiting;
    const [outcome] = await Promise.allSettled([slow, http.stop(1)]);
    expect(outcome.status).toBe("rejected");
    release();
  });
});
