/** The control port of a simulator: its page, books, paper and faults over HTTP. */

import { type MachineNames, namesLoopback, namesMachine } from "#core/machine-names.ts";
import { CLEAR_CONDITIONS, RECENT_DOCUMENTS_MAX } from "../books/books.ts";
import { viewBooks } from "../books/books-view.ts";
import { FaultRequestError, isCondition, parseFaultRequest, parsePowerRequest } from "../faults.ts";
import { renderDocument, renderOpenDocument } from "../paper/layout.ts";
import type { ControlledDevice } from "./controlled-device.ts";
import { documentPicture, LiveState, rollPicture, rollText } from "./live.ts";
import { pageFile } from "./page/index.ts";

const BODY_BYTES_MAX = 65_536;
/** Documents on the picture of the roll, unless more or fewer are asked for. */
const ROLL_DOCUMENTS = 10;

export interface ControlServer {
  readonly port: number;
  stop(): Promise<void>;
}

export interface ControlOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** What the machine is called now, besides `localhost`. */
  machineNames(): MachineNames;
}

/** Serves the control port. */
export function serveControl(device: ControlledDevice, options: ControlOptions): ControlServer {
  const live = new LiveState(device);
  const server = Bun.serve({
    hostname: options.host,
    port: options.port,
    maxRequestBodySize: BODY_BYTES_MAX,
    development: false,
    // Seconds, the most there is: who comes once in a while need not open a connection each time.
    idleTimeout: 255,
    fetch: async (request, own) => {
      try {
        // The Host header is part of it, and may be anything.
        const url = URL.parse(request.url, "http://localhost");
        if (url === null || isForeign(request, url, options))
          return refusal(403, "only the page of this port may call it");
        if (request.method === "GET" && url.pathname === "/live") {
          // Whoever watches may have to wait long for the next change.
          own.timeout(request, 0);
          return live.watch(request);
        }
        return await answer(device, request, url);
      } catch (error) {
        if (error instanceof FaultRequestError) return refusal(400, error.message);
        throw error;
      }
    },
  });
  return {
    port: server.port ?? 0,
    async stop() {
      live.end();
      await server.stop(true);
    },
  };
}

/** What `GET /books` answers. */
export function booksOf(device: ControlledDevice, after = 0): Record<string, unknown> {
  const { memory, faults, engine, layout, driver, model } = device;
  const { serialNumber, fiscalMemory, taxId } = layout;
  return viewBooks(memory.books, {
    clock: memory.clock(),
    frames: faults.received,
    repeats: faults.repeated,
    isHolding: engine.isHolding,
    after,
    device: { driver, model, serialNumber, fiscalMemory, taxId },
  });
}

async function answer(device: ControlledDevice, request: Request, url: URL): Promise<Response> {
  const found = request.method === "GET" ? pageFile(url.pathname) : undefined;
  if (found) return found;
  const number = /^\/paper\/(\d{1,9})\.svg$/.exec(url.pathname)?.[1];
  if (number !== undefined && request.method === "GET") {
    const picture = documentPicture(device, Number(number));
    return picture ?? refusal(404, `document ${Number(number)} is not kept`);
  }
  switch (`${request.method} ${url.pathname}`) {
    case "GET /books":
      return Response.json(booksOf(device, numberIn(url, "after", 0)));
    case "GET /paper":
      return new Response(paperText(device));
    case "GET /paper.ansi":
      return new Response(rollText(device, numberIn(url, "last", ROLL_DOCUMENTS)));
    case "GET /paper.svg":
      return rollPicture(device, numberIn(url, "last", ROLL_DOCUMENTS));
    case "POST /power":
      device.engine.switchOff(parsePowerRequest(await jsonOf(request)));
      return Response.json({ ok: true });
    case "POST /fault":
      bringFault(device, await jsonOf(request));
      return Response.json({ ok: true });
    case "POST /release":
      device.engine.release();
      return Response.json({ ok: true });
    case "POST /clear":
      clearFaults(device);
      return Response.json({ ok: true });
    default:
      return refusal(400, "see docs/simulator.md for what this port takes");
  }
}

/** True for a call that a page from elsewhere makes in somebody's browser, under whatever name. */
function isForeign(
  { headers }: Request,
  url: URL,
  { machineNames }: Pick<ControlOptions, "machineNames">,
): boolean {
  const host = headers.get("host");
  if (host !== null && !namesLoopback(host) && !namesMachine(host, machineNames())) return true;
  const origin = headers.get("origin");
  return origin !== null && origin !== url.origin;
}

function numberIn(url: URL, name: string, otherwise: number): number {
  const text = url.searchParams.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,15}$/.test(text)) throw new FaultRequestError(`${name} must be a number`);
  return Number(text);
}

/**
 * Brings a fault upon a device.
 * @param body as `POST /fault` takes it
 * @throws FaultRequestError with what is wrong with it
 */
export function bringFault({ engine, faults }: ControlledDevice, body: unknown): void {
  const request = parseFaultRequest(body);
  const { fault, at } = request;
  // A condition for no frame in particular is true at once, as paper is either there or not.
  if (isCondition(fault) && at === undefined) engine.impose(fault);
  // A cable needs no frame to be pulled at.
  else if (fault.kind === "unplug" && at === undefined) engine.unplug(fault.ms);
  else if (fault.kind === "other_hands" && at === undefined) engine.actAsOthers(fault);
  else faults.add(request);
}

/** Takes all faults back: paper is loaded, waiting ones are dropped, a held answer goes out. */
export function clearFaults({ faults, engine, memory, changes }: ControlledDevice): void {
  faults.clear();
  engine.release();
  memory.setConditions(CLEAR_CONDITIONS);
  changes.touch();
}

async function jsonOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw new FaultRequestError("the body must be JSON");
  }
}

/** The last documents as text, and what is printed of the open one. @param last how many */
export function paperText(
  { memory: { books }, layout }: ControlledDevice,
  last = RECENT_DOCUMENTS_MAX,
): string {
  const lines = books.recent
    .slice(-last)
    .flatMap((document) => renderDocument(document, books, layout));
  lines.push(...renderOpenDocument(books, layout));
  if (books.conditions.printingWaits) lines.push("*** no paper: printing waits ***");
  return lines.map((line) => `${line}\n`).join("");
}

function refusal(status: number, message: string): Response {
  return Response.json({ error: message }, { status });
}
