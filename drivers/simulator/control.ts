/** The control port of a simulator: its books, its paper and its faults, as JSON over HTTP. */

import { type Books, CLEAR_CONDITIONS } from "./books.ts";
import { viewBooks } from "./books-view.ts";
import type { Engine } from "./engine.ts";
import { type FaultPlan, FaultRequestError, isCondition, parseFaultRequest } from "./faults.ts";
import type { DeviceMemory } from "./memory.ts";
import { type PaperLayout, renderDocument, renderOpenDocument } from "./paper.ts";

const BODY_BYTES_MAX = 65_536;

/** A running simulated device, as the control port needs it. */
export interface ControlledDevice {
  readonly memory: DeviceMemory;
  readonly engine: Engine;
  readonly faults: FaultPlan;
  readonly layout: PaperLayout;
  readonly driver: string;
  readonly model: string;
}

export interface ControlServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves the control port; port 0 picks a free one. */
export function serveControl(
  device: ControlledDevice,
  listen: { readonly host: string; readonly port: number },
): ControlServer {
  const server = Bun.serve({
    hostname: listen.host,
    port: listen.port,
    maxRequestBodySize: BODY_BYTES_MAX,
    fetch: async (request) => {
      try {
        return await answer(device, request);
      } catch (error) {
        if (error instanceof FaultRequestError) return refusal(400, error.message);
        throw error;
      }
    },
  });
  return { port: server.port ?? 0, stop: () => server.stop(true) };
}

/** What `GET /books` answers. */
export function booksOf(device: ControlledDevice, after = 0): Record<string, unknown> {
  const { memory, faults, layout, driver, model } = device;
  const { serialNumber, fiscalMemory, taxId } = layout;
  return viewBooks(memory.books, {
    clock: memory.clock(),
    frames: faults.received,
    after,
    device: { driver, model, serialNumber, fiscalMemory, taxId },
  });
}

async function answer(device: ControlledDevice, request: Request): Promise<Response> {
  const url = new URL(request.url);
  switch (`${request.method} ${url.pathname}`) {
    case "GET /books":
      return Response.json(booksOf(device, numberIn(url, "after")));
    case "GET /paper":
      return new Response(paperText(device.memory.books, device.layout));
    case "POST /fault":
      setFault(device, await jsonOf(request));
      return Response.json({ ok: true });
    case "POST /clear":
      device.faults.clear();
      device.memory.setConditions(CLEAR_CONDITIONS);
      return Response.json({ ok: true });
    default:
      return refusal(400, "use GET /books, GET /paper, POST /fault or POST /clear");
  }
}

function numberIn(url: URL, name: string): number {
  const text = url.searchParams.get(name);
  if (text === null) return 0;
  if (!/^\d{1,15}$/.test(text)) throw new FaultRequestError(`${name} must be a number`);
  return Number(text);
}

function setFault({ engine, faults }: ControlledDevice, body: unknown): void {
  const { fault, at } = parseFaultRequest(body);
  // A condition for no frame in particular is true at once, as paper is either there or not.
  if (isCondition(fault) && at === undefined) engine.impose(fault);
  // A cable needs no frame to be pulled at.
  else if (fault.kind === "unplug" && at === undefined) engine.unplug(fault.ms);
  else faults.add(fault, at ?? 1);
}

async function jsonOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw new FaultRequestError("the body must be JSON");
  }
}

function paperText(books: Books, layout: PaperLayout): string {
  const lines = books.recent.flatMap((document) => renderDocument(document, books, layout));
  lines.push(...renderOpenDocument(books, layout));
  if (books.conditions.printingWaits) lines.push("*** no paper: printing waits ***");
  return lines.map((line) => `${line}\n`).join("");
}

function refusal(status: number, message: string): Response {
  return Response.json({ error: message }, { status });
}
