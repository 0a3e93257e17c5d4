import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { systemClock } from "../platform/clock.ts";
import { publicRoutes } from "./access.ts";
import { type RunningHttp, startHttp } from "./listen.ts";
import { json } from "./request-body.ts";
import { bareServer } from "./testing/bare-server.ts";
import { exchange } from "./testing/raw-exchange.ts";

const LIMIT = 1_000;
let http: RunningHttp;
let done: number;

/** @param globalMax requests of one address */
function start(globalMax: number): RunningHttp {
  /** As what is stored: the answer leaves when it is on disk, which is not in this turn. */
  const work = async () => {
    done += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { done: true };
  };
  const app = bareServer({
    limits: { globalMax, authMax: LIMIT, commandsMax: LIMIT, windowSeconds: 600 },
    groups: [
      publicRoutes("Test")
        .post("/sales", work, { body: json(Type.Object({})) })
        .delete("/sales", work)
        .post("/closings", work)
        .delete("/closings", work),
    ],
  });
  return startHttp(app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
}

beforeAll(() => {
  http = start(LIMIT);
});
afterAll(() => http.stop(0));
beforeEach(() => {
  done = 0;
});

const HEAD = "HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
const BODY = `POST /api/v1/sales ${HEAD}Content-Length: 2\r\n\r\n{}`;
const CHUNKED = `POST /api/v1/sales ${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`;
const DELETE = BODY.replace("POST", "DELETE");
const EMPTY = BODY.replace("2\r\n\r\n{}", "00\r\n\r\n");
const EMPTY_CHUNKED = CHUNKED.replace("2\r\n{}\r\n", "");
const NO_BODY = `DELETE /api/v1/sales ${HEAD}\r\n`;
const FURTHER = "GET /api/v1/livez HTTP/1.1\r\nHost: x\r\n\r\n";
/** What Bun then reads no further than. */
const closing = (request: string) => request.replace("Host: x", "Host: x\r\nConnection: close");

/** The statuses of what comes back. */
async function statusesOf(request: string, to = http): Promise<readonly string[]> {
  const text = String(await exchange(to.url, request));
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
}

/** A route that reads its body, and one that has none: many clients send one with whatever they post. */
describe.each(["sales", "closings"])("a request to /%s with", (path) => {
  const to = (request: string) => request.replace("sales", path);

  test.each([
    ...[BODY, `${CHUNKED}\r\n`, NO_BODY, `${BODY}\r\n`, DELETE],
    ...[EMPTY, `${EMPTY_CHUNKED}\r\n`],
  ])("nothing behind it that is read is carried out: %j", async (request) => {
    expect(await statusesOf(closing(to(request)))).toEqual(["200"]);
    expect(done).toBe(1);
  });

  test.each([
    ["an empty line behind a body", BODY, "\r\n"],
    ["an empty line behind no body", NO_BODY, "\r\n"],
    ["an empty line behind what it deletes with", DELETE, "\r\n"],
    ["an empty line behind an empty body", EMPTY, "\r\n"],
    ["what is no request behind it", BODY, "sale 2\r\n\r\n"],
    ["a trailer", CHUNKED, "x-sum: 1\r\n\r\n"],
    ["a trailer behind an empty body", EMPTY_CHUNKED, "x-sum: 1\r\n\r\n"],
    ["a trailer that looks like a request", CHUNKED, `x:${FURTHER}`],
    ["a request behind a bare line feed", CHUNKED, `\n${FURTHER}`],
    ["a chunk that ends elsewhere", CHUNKED.replace("{}\r\n", "{}xx"), `\r\n${FURTHER}`],
    ["a chunk's length with a bare line feed", CHUNKED.replace("2\r\n", "2;\n"), "\r\n"],
    ["another coding", CHUNKED.replace("chunked", "gzip, chunked"), "\r\n"],
    ["a coding with a space before it", CHUNKED.replace("ing:", "ing :"), "\r\n"],
    [
      "a coding beside a length",
      CHUNKED.replace("Transfer", "Content-Length: 2\r\nTransfer"),
      "\r\n",
    ],
    ["one length twice", BODY.replace("Content-L", "Content-Length: 2\r\nContent-L"), ""],
    ["two lengths", BODY.replace("Content-L", "Content-Length: 3\r\nContent-L"), " "],
    ["more than a body may have", closing(BODY).replace(": 2", ": 1048577"), ""],
  ])("%s is refused, and nothing is done for it", async (_, request, more) => {
    expect(await statusesOf(to(request) + more)).toEqual(["400"]);
    expect(done).toBe(0);
  });

  test("another one behind it ends unanswered, and nothing is done for either", async () => {
    expect(await statusesOf(to(BODY) + FURTHER)).toEqual([]);
    expect(done).toBe(0);
  });
});

test("a body that nobody reads is forgotten, whatever it is", async () => {
  const request = BODY.replace("sales", "closings").replace("{}", "!!");
  expect(await statusesOf(closing(request.replace("json", "xml")))).toEqual(["200"]);
  expect(done).toBe(1);
});

describe("a request with", () => {
  test.each([
    ["one length twice", BODY.replace("Content-L", "Content-Length: 2\r\nContent-L")],
    ["two hosts", BODY.replace("Host: x", "Host: x\r\nHost: y")],
  ])("%s ends its connection, also where it is refused as one too many", async (_, request) => {
    const busy = start(1);
    try {
      expect(await statusesOf(request + FURTHER, busy)).toEqual(["400"]);
      expect(await statusesOf(request + FURTHER, busy)).toEqual(["429"]);
      // Some that are counted nowhere.
      const page = request.replace("/api/v1/sales", "/");
      expect(await statusesOf(page + FURTHER, busy)).toEqual(["400"]);
    } finally {
      await busy.stop(0);
    }
  });
});

// As docs/errors.md has them.
test.each([
  ["400", "no host", "GET /livez HTTP/1.1\r\n\r\n"],
  ["400", "no HTTP", "SALE 2\r\n\r\n"],
  ["413", "a body of more than 64 MiB", BODY.replace(": 2", ": 67108865")],
  [
    "431",
    "headers of more than 16 KiB",
    FURTHER.replace("x\r\n", `x\r\nA: ${"a".repeat(16_384)}\r\n`),
  ],
  ["431", "more than 200 headers", FURTHER.replace("x\r\n", `x\r\n${"A: b\r\n".repeat(200)}`)],
  ["505", "another version", FURTHER.replace("1.1", "2.0")],
  ["", "a method that HTTP does not have", FURTHER.replace("GET", "SELL")],
])("is answered %p, without a body, for %s", async (status, _, request) => {
  const answer = String(await exchange(http.url, request));
  expect(answer.slice(9, 12)).toBe(status);
  expect(answer.split("\r\n\r\n").slice(1)).toEqual(status === "" ? [] : [""]);
  expect(answer.toLowerCase()).not.toContain("x-request-id");
});
