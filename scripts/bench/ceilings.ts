/** What this machine can do without us: bare servers, bare commits, the bare wire. */

import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "#db/connection.ts";
import { encodeRequest, ReplyDecoder } from "#drivers/isl/frame.ts";
import { build } from "../build.ts";
import { Durations, type MemoryUse, measure, memoryOf, type Throughput } from "./measure.ts";
import { RawHttp } from "./raw-http.ts";

/** Commits a second of one row each, and of `group` rows each, durable as the gateway's are. */
export function bareCommits(group: number): { single: number; rowsGrouped: number } {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-bench-"));
  const database = openDatabase(join(folder, "bare.db"));
  try {
    database.sqlite.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)");
    const insert = database.sqlite.prepare("INSERT INTO rows (body) VALUES (?)");
    const body = "x".repeat(500);
    const rate = (rows: number, transactions: number): number => {
      const startedAt = performance.now();
      const run = database.sqlite.transaction(() => {
        for (let row = 0; row < rows; row++) insert.run(body);
      });
      for (let index = 0; index < transactions; index++) run.immediate();
      return (rows * transactions * 1_000) / (performance.now() - startedAt);
    };
    rate(1, 200);
    return { single: rate(1, 3_000), rowsGrouped: rate(group, 500) };
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

/** Requests a second of a server that reads JSON and answers it, in a process of its own. */
export async function bareServer(body: string, load: { workers: number; count: number }) {
  return withServer(sourceOf("bare-server.ts"), (url) => post(url, "/", { bodies: [body], load }));
}

/**
 * The same server, each request committed in a group before its answer.
 * @param rows what is written: one row, or what the gateway writes for a submission
 */
export async function bareCommittingServer(
  body: string,
  load: { workers: number; count: number },
  rows: "one-row" | "gateway-rows",
) {
  const command = [...sourceOf("bare-committing-server.ts"), rows];
  return withServer(command, (url) => post(url, "/", { bodies: [body], load }));
}

/** Memory of the committing server as an executable: idle, and after it has answered so much. */
export async function bareMemory(
  body: string,
  load: { workers: number; count: number },
): Promise<{ readonly idle: MemoryUse; readonly after: MemoryUse }> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-bench-"));
  try {
    const entry = "scripts/bench/bare-committing-server.ts";
    const { outfile: program } = await build({ outfile: join(folder, "bare"), entry });
    return await withServer([program], async (url, pid) => {
      const idle = await memoryOf(pid);
      await post(url, "/", { bodies: [body], load });
      return { idle, after: await memoryOf(pid) };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How long a text takes there and back at a server of nothing but WebSockets, one after another. */
export function bareEcho(options: {
  readonly connections: number;
  readonly count: number;
}): Promise<Durations> {
  return withServer(sourceOf("bare-echo.ts"), async (url) => {
    const sockets = await Promise.all(
      Array.from({ length: options.connections }, async () => {
        const socket = new WebSocket(url.replace("http", "ws"));
        await new Promise((resolve, reject) => {
          socket.addEventListener("open", resolve);
          socket.addEventListener("close", reject);
        });
        return socket;
      }),
    );
    const durations = new Durations();
    for (let run = -Math.ceil(options.count / 10); run < options.count; run += 1) {
      const socket = sockets.at(run % sockets.length);
      if (!socket) break;
      const back = new Promise((resolve) => {
        socket.addEventListener("message", resolve, { once: true });
      });
      const sentAt = performance.now();
      socket.send(ECHOED);
      await back;
      if (run >= 0) durations.add(performance.now() - sentAt);
    }
    for (const socket of sockets) socket.close();
    return durations;
  });
}

/** About as long as a small command that is handed out. */
const ECHOED = "x".repeat(600);

function sourceOf(file: string): string[] {
  return [process.execPath, join(import.meta.dir, file)];
}

/** Posts the bodies in turn, over and over, with a new idempotency key each time if `keyed`. */
export async function post(
  url: string,
  path: string,
  options: {
    bodies: readonly string[];
    key?: string;
    keyed?: boolean;
    load: { workers: number; count: number };
  },
): Promise<Throughput> {
  const { bodies, load, key = "none", keyed = false } = options;
  let posted = 0;
  const clients = await Promise.all(
    Array.from({ length: load.workers }, () => RawHttp.open(url, key)),
  );
  const run = async (_: number, worker: number): Promise<void> => {
    const number = posted++;
    const answer = await clients[worker]?.request("POST", path, {
      body: bodies[number % bodies.length] ?? "",
      ...(keyed ? { idempotencyKey: `bench-${number}` } : {}),
    });
    if (!answer || answer.status >= 300) throw new Error(`${answer?.status} ${answer?.body}`);
  };
  await measure({ workers: load.workers, count: Math.ceil(load.count / 10) }, run);
  const result = await measure(load, run);
  for (const client of clients) client.close();
  return result;
}

async function withServer<T>(
  command: string[],
  use: (url: string, pid: number) => Promise<T>,
): Promise<T> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  try {
    const { value } = await child.stdout.getReader().read();
    return await use(new TextDecoder().decode(value).trim(), child.pid);
  } finally {
    child.kill();
    await child.exited;
  }
}

/** Device commands of one receipt, as number and data. */
export type WireReceipt = readonly { readonly command: number; readonly data: string }[];

/** Sends a receipt's frames one after the other over a bare socket, each when the last is answered. */
export async function bareWire(
  { host, port }: { readonly host: string; readonly port: number },
  receipt: WireReceipt,
  count: number,
): Promise<Throughput> {
  const socket = connect({ host, port, noDelay: true });
  await new Promise((resolve) => socket.once("connect", resolve));
  const decoder = new ReplyDecoder("long");
  let answered: () => void = () => undefined;
  socket.on("data", (chunk) => {
    if (typeof chunk === "string") return;
    for (const event of decoder.push(chunk)) if (event.kind === "reply") answered();
  });
  let seq = 0;
  const exchange = (command: number, data: string): Promise<void> =>
    new Promise((resolve) => {
      answered = resolve;
      seq = (seq + 1) % 0x60;
      const bytes = Buffer.from(data, "latin1");
      socket.write(encodeRequest("long", { seq: 0x20 + seq, command, data: bytes }));
    });
  const print = async (): Promise<void> => {
    for (const { command, data } of receipt) await exchange(command, data);
  };
  await measure({ workers: 1, count: Math.ceil(count / 10) }, print);
  const result = await measure({ workers: 1, count }, print);
  socket.destroy();
  return result;
}
