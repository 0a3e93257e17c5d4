import { describe, expect, test } from "bun:test";
import { COMMAND_TYPES, tellsOutcome } from "#core/command/catalogue.ts";
import { IDEMPOTENCY_KEY_PATTERN } from "#core/limits.ts";
import { createClient } from "./client.ts";
import { FISCAL_TYPES } from "./commands.ts";
import { answer } from "./gateway-error.ts";
import { KEY_PATTERN } from "./submit.ts";
import {
  printed,
  queued,
  refusal,
  SALE,
  type Scripted,
  ScriptedGateway,
  shown,
} from "./testing/scripted-gateway.ts";
import { thrownBy } from "./testing/thrown-by.ts";

function bench(...script: readonly Scripted[]) {
  const gateway = new ScriptedGateway(...script);
  const { fetch, timing } = gateway;
  const client = createClient({ url: "http://gateway.example/", apiKey: "svc_1", fetch, timing });
  return { gateway, client };
}

const limited = (seconds: number | string) => () =>
  Response.json(
    { code: "RATE_LIMIT_EXCEEDED", message: "Too many", status: 429 },
    { status: 429, headers: { "Retry-After": String(seconds) } },
  );

describe("a document", () => {
  test("is submitted with its key and the credential, waited for, and told as printed", async () => {
    const { gateway, client } = bench(queued(), printed());
    expect(await client.print(SALE)).toMatchObject({
      outcome: "printed",
      fiscalId: "7",
      data: { change: 0 },
    });
    const [submission, question] = gateway.asked;
    const { key, ...body } = SALE;
    expect(submission).toMatchObject({ method: "POST", path: "/api/v1/commands" });
    expect(submission?.headers.get("idempotency-key")).toBe(key);
    expect(submission?.headers.get("x-api-key")).toBe("svc_1");
    expect(JSON.parse(submission?.body ?? "")).toEqual(body);
    expect(question).toMatchObject({ method: "GET", path: "/api/v1/commands/cmd_1?wait=30" });
  });

  test.each<[string, Scripted]>([
    ["no answer", new TypeError("fetch failed")],
    ["silence", "silence"],
    ["a 500", refusal(500, "INTERNAL_ERROR")],
    ["a 503", refusal(503, "SERVICE_UNAVAILABLE")],
    ["a proxy's page", new Response("<h1>Bad Gateway</h1>", { status: 502 })],
    ["a 400 without a body", () => new Response(null, { status: 400 })],
    ["a 413 without a body", () => new Response("", { status: 413 })],
    ["a 431 without a body", () => new Response(null, { status: 431 })],
    ["a 505 without a body", () => new Response(null, { status: 505 })],
    ["a 204", () => new Response(null, { status: 204 })],
    ["a 200 without a body", () => new Response("", { headers: { "Content-Length": "0" } })],
    ["a 200 of something else", () => Response.json({ ok: true })],
    ["a 200 of nothing", () => Response.json(null)],
    ["a command without its id", () => Response.json({ command: { status: "pending" } })],
  ])("is sent again as it was after %s", async (_what, fault) => {
    const { gateway, client } = bench(fault, queued(), fault, printed());
    expect((await client.print(SALE)).outcome).toBe("printed");
    const [first, second, ...questions] = gateway.asked;
    expect(second?.body).toBe(first?.body ?? "");
    expect(second?.headers.get("idempotency-key")).toBe(SALE.key);
    expect(questions.map(({ method }) => method)).toEqual(["GET", "GET"]);
    expect(gateway.left).toBe(0);
  });

  test("is taken back once: the reversal is sent again under its key", async () => {
    const reversal = { key: "return-1", receiptId: "rcp_1", reason: "refund" } as const;
    const fault = () => refusal(503, "SERVICE_UNAVAILABLE");
    const { gateway, client } = bench(new TypeError("fetch failed"), fault(), queued());
    expect((await client.reverse(reversal)).id).toBe("cmd_1");
    expect(gateway.asked).toHaveLength(3);
    for (const { method, path, headers, body } of gateway.asked) {
      expect([method, path]).toEqual(["POST", "/api/v1/receipts/rcp_1/storno"]);
      expect(headers.get("idempotency-key")).toBe(reversal.key);
      expect(JSON.parse(body)).toEqual({ reason: "refund" });
    }
  });

  test("is sent again with pauses that double and have an end", async () => {
    const faults = Array.from({ length: 7 }, () => new TypeError("fetch failed"));
    const { gateway, client } = bench(...faults, queued(), printed());
    await client.print(SALE);
    expect(gateway.sleptMs).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  test("waits as long as the rate limiter wants, and longer when it wants it again", async () => {
    const { gateway, client } = bench(limited(20), limited(20), queued(), printed());
    await client.print(SALE);
    expect(gateway.sleptMs).toEqual([20_000, 40_000]);
  });

  test.each([
    ["a month", "2592000", 2 ** 31 - 1],
    ["no number of seconds", "9".repeat(400), 2 ** 31 - 1],
    ["less than none", "-5", 500],
  ])("is asked again after %s by a timer that can run so long", async (_, seconds, ms) => {
    const { gateway, client } = bench(limited(seconds), queued(), printed());
    await client.print(SALE, { patienceSeconds: Number.POSITIVE_INFINITY });
    expect(gateway.sleptMs).toEqual([ms]);
  });

  test("is given up when the next pause would outlast the patience", async () => {
    const { gateway, client } = bench(new TypeError("fetch failed"), limited(600));
    const error = await thrownBy(client.print(SALE, { patienceSeconds: 60 }));
    expect(error).toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
      retryAfterSeconds: 600,
      status: 429,
    });
    expect(error.isTemporary).toBe(true);
    expect(gateway.sleptMs).toEqual([500]);
  });

  test.each([
    [400, "VALIDATION_ERROR"],
    [401, "UNAUTHORIZED"],
    [403, "FORBIDDEN"],
    [404, "NOT_FOUND"],
    [409, "CONFLICT"],
    [422, "UNPROCESSABLE_ENTITY"],
  ])("is not sent again after %d", async (status, code) => {
    const { gateway, client } = bench(refusal(status, code));
    const error = await thrownBy(client.print(SALE));
    expect(error).toMatchObject({ status, code, message: `refused: ${code}`, requestId: "req-1" });
    expect(error.details).toEqual([{ path: "a", message: "b" }]);
    expect(error.isTemporary).toBe(false);
    expect(gateway.asked).toHaveLength(1);
  });

  test("is not taken for what its key was used for before", async () => {
    const headers = { "Idempotent-Replayed": "true", "Idempotency-Body-Mismatch": "true" };
    const other = Response.json({ command: { id: "cmd_0" } }, { status: 202, headers });
    const error = await thrownBy(bench(other).client.print(SALE));
    expect(error).toMatchObject({ code: "KEY_REUSED" });
    expect(error.message).toContain(SALE.key);
  });

  test.each<[string, unknown]>([
    ["empty", ""],
    ["missing", undefined],
    ["null", null],
    ["a number", 1001],
    ["with a space", "till1 sale"],
    ["with a line's end", "till1-sale\n"],
    ["too long", "k".repeat(129)],
  ])("is not sent where its key is %s, and neither is what takes it back", async (_, key) => {
    const { gateway, client } = bench();
    // As JavaScript may, and a variable that was not set.
    const order = { ...SALE, key } as typeof SALE;
    const reversal = { key, receiptId: "rct_1", reason: "refund" } as Parameters<
      typeof client.reverse
    >[0];
    for (const sent of [client.print(order), client.submit(order), client.reverse(reversal)]) {
      expect(await thrownBy(sent)).toMatchObject({
        ...{ code: "KEY_INVALID", isTemporary: false, status: undefined },
        message: expect.stringContaining("nothing was sent"),
      });
    }
    expect([gateway.asked, gateway.sleptMs]).toEqual([[], []]);
  });

  test("is no answer but silence, where answers without a body are all that come", async () => {
    const { client } = bench(new Response(null, { status: 400 }));
    expect(await thrownBy(client.print(SALE, { patienceSeconds: 0 }))).toMatchObject({
      ...{ code: "UNREACHABLE", isTemporary: true, status: undefined },
      message: expect.stringContaining("status 400 without a body"),
    });
  });

  test.each([Number.NaN, Number(undefined), "soon"])(
    "is not sent where the patience is %p, and neither is what takes it back",
    async (given) => {
      const { gateway, client } = bench();
      // As JavaScript may.
      const waiting = { patienceSeconds: given as number };
      for (const sent of [
        client.print(SALE, waiting),
        client.submit(SALE, waiting),
        client.reverse({ key: "r-1", receiptId: "rct_1", reason: "refund" }, waiting),
        client.wait("cmd_1", waiting),
      ]) {
        expect(await sent.catch((error: unknown) => error)).toEqual(
          new TypeError(`patienceSeconds has to be a number, and is ${given}`),
        );
      }
      expect(gateway.asked).toEqual([]);
    },
  );

  test("is not known to be queued where answers of something else are all that come", async () => {
    const { client } = bench(() => Response.json({ ok: true }));
    expect(await thrownBy(client.print(SALE, { patienceSeconds: 0 }))).toMatchObject({
      ...{ code: "UNREADABLE", isTemporary: true, status: undefined },
      message: expect.stringContaining("has not id, status"),
    });
  });

  test("is all that print takes: of a drawer nobody could say that it was printed", async () => {
    const { gateway, client } = bench();
    // As JavaScript may.
    const drawer = { ...SALE, type: "open_drawer", payload: {} } as unknown as typeof SALE;
    expect(await client.print(drawer).catch((error: unknown) => error)).toEqual(
      new TypeError(`print takes ${FISCAL_TYPES.join(", ")}: open_drawer goes by submit and wait`),
    );
    expect(gateway.asked).toEqual([]);
  });

  test("is asked for until it has ended, however early the gateway answers", async () => {
    const under = () => shown({ status: "processing" });
    const { gateway, client } = bench(queued(), under(), under(), printed());
    expect((await client.print(SALE)).outcome).toBe("printed");
    expect(gateway.sleptMs).toEqual([500, 500]);
  });

  test("is under way when the patience ends first", async () => {
    const script = [queued(), ...Array.from({ length: 4 }, () => shown({ status: "processing" }))];
    const end = await bench(...script).client.print(SALE, { patienceSeconds: 1.5 });
    expect(end).toMatchObject({ outcome: "under_way", command: { status: "processing" } });
  });

  test.each([
    [
      "a certificate that nobody vouches for",
      "UNTRUSTED",
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("unable to verify the first certificate"), {
          code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        }),
      }),
    ],
    [
      "a certificate for another name, as Bun tells it",
      "UNTRUSTED",
      Object.assign(new TypeError("not for this name"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" }),
    ],
    [
      "plain HTTP that is sent on",
      "REDIRECTED",
      new TypeError("fetch failed", { cause: new Error("unexpected redirect") }),
    ],
  ])("is not sent again for %s, which stays as it is", async (_, code, cause) => {
    const { gateway, client } = bench(cause);
    expect(await thrownBy(client.print(SALE))).toMatchObject({
      ...{ code, isTemporary: false, status: undefined, cause },
      message: expect.stringMatching(/\/ca|https:/),
    });
    expect([gateway.asked.length, gateway.sleptMs]).toEqual([1, []]);
  });

  const untrusted = () =>
    Object.assign(new TypeError("not for this name"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });

  const revoked = () => refusal(401, "UNAUTHORIZED");

  test("is never told as refused once it was queued, whatever is answered to the question", async () => {
    const { client } = bench(queued(), refusal(404, "NOT_FOUND"));
    const error = await thrownBy(client.print(SALE));
    expect(error).toMatchObject({
      ...{ code: "NOT_TOLD", status: undefined, isTemporary: false },
      ...{ commandId: "cmd_1", mayBeQueued: true },
      message: expect.stringContaining("cmd_1"),
      cause: expect.objectContaining({ code: "NOT_FOUND", status: 404 }),
    });
  });

  test.each<[string, Scripted, object]>([
    ["the key is revoked", revoked, { code: "UNAUTHORIZED", status: 401 }],
    ["a page comes", new Response("none", { status: 404 }), { code: "UNREADABLE", status: 404 }],
    ["the certificate changes", untrusted, { code: "UNTRUSTED", status: undefined }],
    ["nothing comes", "silence", { code: "UNREACHABLE", isTemporary: true }],
  ])("is told by its id when it is asked for and %s", async (_, fault, told) => {
    const { client } = bench(queued(), fault);
    const error = await thrownBy(client.print(SALE, { patienceSeconds: 0 }));
    expect(error).toMatchObject({ ...told, commandId: "cmd_1", mayBeQueued: true });
  });

  test.each<[string, Scripted, object]>([
    ["the certificate changes", untrusted, { code: "UNTRUSTED" }],
    ["the key is revoked", revoked, { code: "UNAUTHORIZED", status: 401 }],
  ])("may be queued where an earlier try was not answered, and then %s", async (_, fault, told) => {
    for (const first of [new TypeError("fetch failed"), refusal(503, "SERVICE_UNAVAILABLE")]) {
      const error = await thrownBy(bench(first, fault).client.print(SALE));
      expect(error).toMatchObject({ ...told, mayBeQueued: true, commandId: undefined });
      expect(error.message).toContain("call again under the same key");
    }
  });

  test.each<[string, Scripted]>([
    ["refused", refusal(400, "VALIDATION_ERROR")],
    ["refused for its device", refusal(404, "NOT_FOUND")],
  ])(
    "is not queued where it is %s, whatever went before: the answer is that of its key",
    async (_, last) => {
      const { client } = bench(new TypeError("fetch failed"), last);
      expect((await thrownBy(client.print(SALE))).mayBeQueued).toBe(false);
    },
  );

  test("may be queued behind a page that anybody may have written", async () => {
    const error = await thrownBy(bench(new Response("none", { status: 404 })).client.print(SALE));
    expect(error).toMatchObject({ code: "UNREADABLE", status: 404, mayBeQueued: true });
  });

  test("is not queued where none of its tries can have arrived", async () => {
    const { client } = bench(limited(1)(), untrusted());
    const error = await thrownBy(client.print(SALE));
    expect(error).toMatchObject({ code: "UNTRUSTED", mayBeQueued: false });
    expect(error.message).not.toContain("call again");
  });

  test("is not waited for by whoever takes it back", async () => {
    const stop = new AbortController();
    const leave = () => {
      stop.abort(new Error("closed"));
      return refusal(503, "SERVICE_UNAVAILABLE");
    };
    const { gateway, client } = bench(queued(), leave);
    const end = client.print(SALE, { signal: stop.signal });
    expect(await end.catch((error: unknown) => error)).toEqual(new Error("closed"));
    expect(gateway.sleptMs).toEqual([]);
  });
});

describe("the typed routes", () => {
  test("are asked once, and answer with their body", async () => {
    const { gateway, client } = bench(Response.json([{ id: "dev_1" }]));
    const [device] = await answer(client.api.GET("/api/v1/devices"));
    expect(device?.id).toBe("dev_1");
    expect(gateway.asked).toHaveLength(1);
  });

  test("tell what is refused, and what is not the gateway", async () => {
    const devices = (...script: readonly Scripted[]) =>
      thrownBy(answer(bench(...script).client.api.GET("/api/v1/devices")));
    expect(await devices(refusal(503, "SERVICE_UNAVAILABLE"))).toMatchObject({ status: 503 });
    expect(await devices(limited(9)())).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    expect(await devices(new Response("<h1>Router</h1>"))).toMatchObject({ code: "UNREADABLE" });
    const missing = new Response("none", { status: 404 });
    expect(await devices(missing)).toMatchObject({ code: "UNREADABLE", isTemporary: false });
    const cause = new TypeError("fetch failed", { cause: new Error("refused at :1") });
    expect(await devices(cause)).toMatchObject({
      code: "UNREACHABLE",
      isTemporary: true,
      message: expect.stringContaining("refused at :1"),
    });
  });

  test("tell how a file is read that was asked for as JSON, and that it stays so", async () => {
    const headers = { "Content-Type": "application/xml; charset=utf-8", "X-Request-Id": "req_1" };
    const journal = () => new Response("<journal/>", { headers });
    const { api } = bench(journal(), journal()).client;
    const ask = { params: { query: { deviceId: "dev_1" } } };
    expect(await thrownBy(answer(api.GET("/api/v1/reports/journal", ask)))).toMatchObject({
      ...{ code: "UNREADABLE", isTemporary: false, status: 200, requestId: "req_1" },
      message: expect.stringContaining('application/xml and no JSON: ask with parseAs: "text"'),
    });
    const read = answer(api.GET("/api/v1/reports/journal", { ...ask, parseAs: "text" }));
    expect(await read).toBe("<journal/>");
  });

  test("answer nothing where there is nothing", async () => {
    const { client } = bench(new Response(null, { status: 204 }));
    const params = { path: { deviceId: "dev_1" } };
    expect(
      await answer(client.api.DELETE("/api/v1/devices/{deviceId}", { params })),
    ).toBeUndefined();
  });
});

test("a URL that is none is refused before anything is asked", () => {
  expect(() => createClient({ url: "192.168.1.20:8080" })).toThrow();
  expect(() => createClient({ url: "" })).not.toThrow();
});

test("the types that print are those whose outcome the gateway tells", () => {
  const known: readonly string[] = FISCAL_TYPES;
  expect(known.toSorted()).toEqual(COMMAND_TYPES.filter(tellsOutcome).toSorted());
});

test("the keys it takes are those that the gateway takes", () => {
  expect(KEY_PATTERN).toBe(IDEMPOTENCY_KEY_PATTERN);
});

test("several values of a parameter are sent as the gateway reads them", async () => {
  const { gateway, client } = bench(Response.json({ commands: [], hasMore: false, lastId: "" }));
  await client.api.GET("/api/v1/commands", {
    params: { query: { type: ["z_report", "cash_in"], limit: 5 } },
  });
  expect(gateway.asked.map(({ path }) => path)).toEqual([
    "/api/v1/commands?type=z_report,cash_in&limit=5",
  ]);
});
