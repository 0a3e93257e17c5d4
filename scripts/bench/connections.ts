/**
 * A thousand remote controllers and two thousand readers of events at one gateway: what they cost,
 * and how long a command takes to the controller of its device. Beside it the same way to a
 * controller within the gateway, and a bare echo with as many connections.
 */

import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { CONTROLLER_SUBPROTOCOL } from "#core/controller/messages.ts";
import { readOrder } from "#core/controller/orders.ts";
import { registerDevice, registerShop, startGateway } from "../../src/e2e/harness/gateway.ts";
import { NO_POLLING } from "../../src/e2e/harness/premises.ts";
import { startPrinter } from "../../src/e2e/harness/simulator.ts";
import { until } from "../../src/e2e/harness/until.ts";
import { bareEcho } from "./ceilings.ts";
import { Durations, memoryOf, ms, show, title } from "./measure.ts";
import { RawHttp } from "./raw-http.ts";
import { booksFile } from "./receipts.ts";

const CONTROLLERS = 1_000;
const READERS = 2_000;
const COMMANDS = 1_000;
/** Where each change is told to every reader. */
const COMMANDS_TOLD = 100;
const WARM_UP = 100;
/** Connections that are opened at a time, so that none is refused for waiting too long. */
const OPENED_AT_ONCE = 50;
/** Asks nothing of the printer but its state, which the controller knows: one message each way. */
const COMMAND = JSON.stringify({ type: "get_status", payload: {} });
const STATUS = { success: true, data: { online: true } };

/** The way of one command, from the request to whoever drives the printer. */
interface Way {
  /** When it arrives where it is going. */
  arrival(): Promise<number>;
  /** Its end, so that the next one finds everything at rest. */
  ended(): Promise<unknown>;
  readonly deviceId: string;
}

export async function connections(folder: string): Promise<void> {
  title(`${thousands(CONTROLLERS)} controllers and ${thousands(READERS)} readers of events`);
  const echo = await bareEcho({ connections: CONTROLLERS, count: COMMANDS });
  showWay("bare WebSocket echo, there and back", echo);
  const gateway = await startGateway(join(folder, "connections"), {
    args: ["--log-level=warn", "--http-connections-per-address=4000", NO_POLLING],
  });
  const printer = await startPrinter({ stateFile: booksFile("connections") });
  const own: { close(): void }[] = [];
  try {
    const shop = await registerShop(gateway.url);
    const client = await RawHttp.open(gateway.url, shop.key);
    own.push(client);
    const line = await WatchedLine.open(printer);
    own.push(line);
    const nearId = await registerDevice(shop.till, {
      ...{ driver: "vendorA.isl", host: "127.0.0.1", port: line.port },
    });
    const near = { deviceId: nearId, arrival: () => line.nextBytes(), ended: async () => {} };
    await showMemory("gateway with one printer", gateway.pid);
    showWay(
      "request to the printer's line, controller in the gateway",
      await ways(client, COMMANDS, () => near),
    );

    const controllers = await gathered(CONTROLLERS, async (index) => {
      const deviceId = await registerDevice(shop.till, {
        ...{ driver: "vendorA.isl", host: "127.0.0.1", port: 9, managedBy: "remote" },
      });
      return Controller.open(gateway.url, shop.key, { id: `tablet-${index}`, deviceId });
    });
    own.push(...controllers);
    await showMemory(`with ${thousands(CONTROLLERS)} controllers`, gateway.pid);
    let turn = 0;
    const far = (): Way => {
      const controller = controllers[turn++ % controllers.length];
      if (!controller) throw new Error("no controller is connected");
      return controller;
    };
    const alone = await ways(client, COMMANDS, far);
    showWay("request to the remote controller", alone, behind(alone, echo));

    const readers = await Readers.open(gateway.url, shop.key, READERS);
    own.push(readers);
    await showMemory(`and ${thousands(READERS)} readers`, gateway.pid);
    const [beganAt, before] = [performance.now(), await readers.told()];
    const beside = await ways(client, COMMANDS_TOLD, far);
    showWay("the same, each change told to every reader", beside, behind(beside, echo));
    const seconds = (performance.now() - beganAt) / 1_000;
    const told = (await readers.told()) - before;
    show("  events told meanwhile", `${thousands(Math.round(told / seconds))}/s`);
  } finally {
    for (const one of own) one.close();
    await Promise.all([gateway.kill(), printer.kill()]);
  }
}

/** How long commands take on their way, one after the other. */
async function ways(client: RawHttp, count: number, next: () => Way): Promise<Durations> {
  const durations = new Durations();
  for (let run = -Math.min(WARM_UP, count); run < count; run += 1) {
    const way = next();
    const [arrival, ended] = [way.arrival(), way.ended()];
    const sentAt = performance.now();
    const path = `/api/v1/devices/${way.deviceId}/commands`;
    const answer = await client.request("POST", path, { body: COMMAND });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
    if (run >= 0) durations.add((await arrival) - sentAt);
    await Promise.all([arrival, ended]);
    const { id }: { id: string } = JSON.parse(answer.body);
    await client.request("GET", `/api/v1/commands/${id}?wait=10`);
  }
  return durations;
}

/** A remote controller with one device, which does at once what it is told. */
class Controller implements Way {
  readonly deviceId: string;
  readonly #socket: WebSocket;
  #arrived: (at: number) => void = () => undefined;
  #stored: () => void = () => undefined;
  #isClosing = false;

  private constructor(socket: WebSocket, deviceId: string) {
    this.#socket = socket;
    this.deviceId = deviceId;
  }

  static async open(
    url: string,
    key: string,
    { id, deviceId }: { readonly id: string; readonly deviceId: string },
  ): Promise<Controller> {
    const path = `/api/v1/controllers/connect?controllerId=${id}&marks=1`;
    const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, {
      protocols: [CONTROLLER_SUBPROTOCOL],
      headers: { authorization: `Bearer ${key}` },
    });
    const controller = new Controller(socket, deviceId);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("message", ({ data }) => {
        if (controller.#hear(String(data)) === "device.assigned") resolve();
      });
      socket.addEventListener("close", ({ code, reason }) => {
        const lost = new Error(`controller ${id}: ${code} ${reason}`);
        reject(lost);
        if (!controller.#isClosing) throw lost;
      });
    });
    return controller;
  }

  arrival(): Promise<number> {
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  ended(): Promise<void> {
    return new Promise((resolve) => {
      this.#stored = resolve;
    });
  }

  close(): void {
    this.#isClosing = true;
    this.#socket.close();
  }

  #hear(text: string): string | undefined {
    const at = performance.now();
    const order = readOrder(text);
    if (!("type" in order)) throw new Error(text);
    const { deviceId } = this;
    switch (order.type) {
      case "welcome":
        this.#say({ type: "device.announce", deviceId, link: "up" });
        break;
      case "command.dispatch": {
        this.#arrived(at);
        const told = { deviceId, commandId: order.command.id, epoch: order.epoch };
        this.#say({ type: "command.ack", ...told });
        this.#say({ type: "command.result", ...told, result: STATUS });
        break;
      }
      case "result.stored":
        this.#stored();
        break;
      case "ping":
        this.#say({ type: "pong" });
        break;
      case "announce.rejected":
      case "error":
        throw new Error(text);
    }
    return order.type;
  }

  #say(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}

/** Those who are told of everything that happens, in a process of their own. */
class Readers {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: Bun.Subprocess<"pipe", "pipe", "inherit">) {
    this.#child = child;
    this.#lines = linesOf(child.stdout);
  }

  static async open(url: string, key: string, count: number): Promise<Readers> {
    const command = [process.execPath, join(import.meta.dir, "event-readers.ts")];
    const readers = new Readers(
      Bun.spawn([...command, url, key, String(count)], {
        ...{ stdin: "pipe", stdout: "pipe", stderr: "inherit" },
      }),
    );
    await readers.#lines.next();
    return readers;
  }

  /** Events that they were told so far, all together. */
  async told(): Promise<number> {
    this.#child.stdin.write("\n");
    this.#child.stdin.flush();
    return Number((await this.#lines.next()).value);
  }

  close(): void {
    this.#child.kill();
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of stream) {
    const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Stands between the gateway and a printer, and knows when the gateway says something. */
class WatchedLine {
  readonly #server: Server;
  #heard: (at: number) => void = () => undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open({ host, port }: { host: string; port: number }): Promise<WatchedLine> {
    const server = createServer({ noDelay: true });
    const line = new WatchedLine(server);
    server.on("connection", (gateway) => {
      const printer = connect({ host, port, noDelay: true });
      gateway.on("data", () => line.#heard(performance.now()));
      gateway.pipe(printer).pipe(gateway);
      for (const end of [gateway, printer]) {
        end.on("error", () => undefined);
        end.on("close", () => {
          gateway.destroy();
          printer.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return line;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    return address.port;
  }

  nextBytes(): Promise<number> {
    return new Promise((resolve) => {
      this.#heard = resolve;
    });
  }

  close(): void {
    this.#server.close();
  }
}

/** Makes so many, a few at a time. */
async function gathered<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) {
    const few = Math.min(OPENED_AT_ONCE, count - made.length);
    const from = made.length;
    made.push(...(await Promise.all(Array.from({ length: few }, (_, n) => make(from + n)))));
  }
  return made;
}

async function showMemory(what: string, pid: number): Promise<void> {
  // What the opening of connections took for a moment is given back first.
  let last = Number.POSITIVE_INFINITY;
  const { resident, anonymous } = await until("memory at rest", async () => {
    const now = await memoryOf(pid);
    const isAtRest = Math.abs(now.anonymous - last) < 1;
    last = now.anonymous;
    return isAtRest && now;
  });
  show(`memory, ${what}`, `${resident.toFixed(0)} MB`, `${anonymous.toFixed(0)} MB of it its own`);
}

function showWay(what: string, durations: Durations, beside = ""): void {
  const p99 = `p99 ${ms(durations.percentile(0.99))}`;
  show(what, `p50 ${ms(durations.percentile(0.5))}`, beside === "" ? p99 : `${p99}; ${beside}`);
}

function behind(way: Durations, echo: Durations): string {
  return `${ms(way.percentile(0.5) - echo.percentile(0.5))} behind the echo, aim 2 ms`;
}

function thousands(count: number): string {
  return count.toLocaleString("en");
}
