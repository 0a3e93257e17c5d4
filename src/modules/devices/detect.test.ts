import { afterEach, describe, expect, test } from "bun:test";
import type { DetectDevices, DetectionReport, DetectionRequest } from "#core/device/detection.ts";
import { startHttp } from "../../http/listen.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

const DETECT = "/api/v1/devices/detect";
const ADDRESS = { transport: "serial", connectionParams: { address: "/dev/a?baud=9600" } } as const;
const FOUND = {
  driver: "vendorA.isl",
  ...ADDRESS,
  serialNumber: "DT000001",
  fiscalMemorySerialNumber: null,
  model: "FP-800",
  firmwareVersion: "1.00",
} as const;
const REPORT: DetectionReport = {
  found: [FOUND],
  tried: [{ ...ADDRESS, outcome: "found", reason: "A device of vendorA.isl answered", probes: 2 }],
};

let bench: ApiBench;
afterEach(() => bench.close());

/** An appliance whose searches are carried out by a function. */
async function openBench(detect: DetectDevices) {
  bench = createApiBench({ detect });
  return bench.owner();
}

/** A search that goes on until it is told what came of it, or its caller goes. */
function slowSearch() {
  const requests: DetectionRequest[] = [];
  let end: (report: DetectionReport) => void = () => {};
  const detect: DetectDevices = (request) => {
    requests.push(request);
    return new Promise((resolve) => {
      end = resolve;
      request.signal.addEventListener("abort", () => resolve({ found: [], tried: [] }));
    });
  };
  return { requests, detect, end: () => end(REPORT) };
}

describe("POST /devices/detect", () => {
  test("looks where it is told, with the drivers it is told, for the one who asks", async () => {
    const requests: DetectionRequest[] = [];
    const { client, orgId } = await openBench((request) => {
      requests.push(request);
      return Promise.resolve(REPORT);
    });
    const answer = await client.post(DETECT, {
      host: "10.0.0.7",
      port: 3999,
      drivers: ["vendorA.isl"],
    });
    expect([answer.status, answer.body]).toEqual([200, REPORT]);
    expect((await client.post(DETECT)).status).toBe(200);
    expect(requests).toMatchObject([
      {
        target: { transport: "tcp", host: "10.0.0.7", port: 3999 },
        drivers: ["vendorA.isl"],
        orgId,
      },
      { target: { transport: "serial" }, orgId },
    ]);
  });

  test("tells of something that registering takes as it is", async () => {
    const { client } = await openBench(() => Promise.resolve(REPORT));
    const [found] = REPORT.found;
    const { driver, transport, connectionParams } = found ?? {};
    const device = { name: "Till", locationId: "shop", driver, transport, connectionParams };
    expect((await client.post("/api/v1/devices", device)).status).toBe(201);
  });

  test.each([
    [{ transport: "usb" }, ["transport"]],
    [{ transport: "tcp" }, ["host"]],
    [{ host: "h", port: 0 }, ["port"]],
    [{ address: "ttyS0" }, ["address"]],
    [{ drivers: [] }, ["drivers"]],
    [{ drivers: ["vendorZ"] }, ["drivers.0"]],
    [{ host: "h", address: "/dev/a" }, ["address"]],
  ])("refuses %p", async (body, paths) => {
    const { client } = await openBench(() => Promise.reject(new Error("not to be called")));
    const answer = await client.post(DETECT, body);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", paths]);
  });

  test("is for those who may change devices", async () => {
    const { orgId } = await openBench(() => Promise.resolve(REPORT));
    const { client: operator } = await bench.member(orgId, "operator");
    expect((await operator.post(DETECT)).refusal).toBe("403 FORBIDDEN");
    expect((await bench.client.post(DETECT)).refusal).toBe("401 UNAUTHORIZED");
  });

  test("does not begin while another search runs, and does again when that is over", async () => {
    const search = slowSearch();
    const { client } = await openBench(search.detect);
    const first = client.post(DETECT);
    while (search.requests.length === 0) await bench.clock.advanceAsync(0);
    expect((await client.post(DETECT)).refusal).toBe("409 CONFLICT");
    search.end();
    expect((await first).status).toBe(200);
    const third = client.post(DETECT);
    while (search.requests.length === 1) await bench.clock.advanceAsync(0);
    search.end();
    expect((await third).status).toBe(200);
  });

  test("that fails does not stand in the way of the next", async () => {
    let calls = 0;
    const { client } = await openBench(() => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error("a defect")) : Promise.resolve(REPORT);
    });
    expect((await client.post(DETECT)).refusal).toBe("500 INTERNAL_ERROR");
    expect((await client.post(DETECT)).status).toBe(200);
  });
});

describe("POST /devices/detect as lines", () => {
  const LINES = { headers: { accept: "application/x-ndjson" } };
  const lines = (text: string): unknown[] =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));

  test("tells each question and at last the result", async () => {
    const step = { ...ADDRESS, driver: "vendorA.isl", done: 0, total: 2 } as const;
    const { client } = await openBench(async ({ onProgress }) => {
      onProgress?.(step);
      await Promise.resolve();
      onProgress?.({ ...step, done: 1 });
      onProgress?.({ ...step, done: 1, found: FOUND });
      return REPORT;
    });
    const answer = await client.post(DETECT, {}, LINES);
    expect(answer.headers.get("content-type")).toStartWith("application/x-ndjson");
    expect(lines(answer.text)).toEqual([
      { probing: step },
      { probing: { ...step, done: 1 } },
      { found: FOUND },
      { result: REPORT },
    ]);
  });

  test("has room for the result however many questions there are", async () => {
    const { client } = await openBench(({ onProgress }) => {
      for (let done = 0; done < 10_000; done += 1) {
        onProgress?.({ ...ADDRESS, driver: "vendorA.isl", done, total: 10_000 });
      }
      return Promise.resolve(REPORT);
    });
    const told = lines((await client.post(DETECT, {}, LINES)).text);
    expect(told.length).toBeGreaterThan(100);
    expect(told.length).toBeLessThan(5_000);
    expect(told.at(-1)).toEqual({ result: REPORT });
  });

  test("tells of a failure, which is logged", async () => {
    const { client } = await openBench(() => Promise.reject(new Error("a defect")));
    const told = lines((await client.post(DETECT, {}, LINES)).text);
    expect(told).toMatchObject([{ error: { code: "INTERNAL_ERROR" } }]);
    expect(bench.lines.join("")).toContain("a defect");
  });
});

describe("a search whose caller hangs up", () => {
  test.each(["application/json", "application/x-ndjson"])("ends, with %s", async (accept) => {
    const search = slowSearch();
    const { client } = await openBench(search.detect);
    const http = startHttp(client.app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
    try {
      const hangUp = new AbortController();
      const call = fetch(`${http.url}${DETECT}`, {
        method: "POST",
        headers: { ...client.headers, accept },
        signal: hangUp.signal,
      });
      call.catch(() => {});
      while (search.requests.length === 0) await turn();
      hangUp.abort();
      while (!search.requests[0]?.signal.aborted) await turn();
      // The next search may begin.
      const next = client.post(DETECT);
      while (search.requests.length === 1) await turn();
      search.end();
      expect((await next).status).toBe(200);
    } finally {
      await http.stop(0);
    }
  });
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
