/** One stream of events a tab: each event has what it changed read again. */

import { answer, GatewayError } from "../../client/index.ts";
import { api } from "./client.ts";
import { lifeline } from "./lifeline.ts";
import { queries, type Readable } from "./queries.ts";
import { noteSignOfLife, noteStream } from "./reach.ts";

/** What may look different after an event, by the part of its type before the dot. */
const CHANGES: Readonly<Record<string, readonly Readable[]>> = {
  command: [
    "/api/v1/commands",
    "/api/v1/commands/{commandId}",
    "/api/v1/devices",
    "/api/v1/devices/{deviceId}",
    "/api/v1/devices/{deviceId}/paper",
    "/api/v1/devices/{deviceId}/receipts",
    "/api/v1/receipts",
    "/api/v1/receipts/{receiptId}",
    "/api/v1/receipts/{receiptId}/reversible",
    "/api/v1/reports/summary",
    "/api/v1/today",
  ],
  receipt: [
    "/api/v1/devices/{deviceId}/receipts",
    "/api/v1/receipts",
    "/api/v1/receipts/{receiptId}",
    "/api/v1/receipts/{receiptId}/reversible",
    "/api/v1/reports/summary",
    "/api/v1/today",
  ],
  report: [
    "/api/v1/reports",
    "/api/v1/reports/calendar",
    "/api/v1/reports/daily",
    "/api/v1/reports/{reportId}",
    "/api/v1/today",
  ],
  device: [
    "/api/v1/alerts",
    "/api/v1/devices",
    "/api/v1/devices/alerts",
    "/api/v1/devices/statuses",
    "/api/v1/devices/{deviceId}",
    "/api/v1/devices/{deviceId}/alerts",
    "/api/v1/devices/{deviceId}/connection-history",
    "/api/v1/devices/{deviceId}/status",
    "/api/v1/today",
  ],
  backup: ["/api/v1/backups"],
  controller: ["/api/v1/controllers", "/api/v1/devices"],
};

/** Events that come together are one change. */
const GATHER_MS = 200;
const PAUSES_MS = [250, 1_000, 2_000, 4_000] as const;
/** The event to go on from is not kept any more. */
const TOO_OLD = 4410;

/** Nothing has happened, and somebody is there. */
const BEAT = "beat";
/** A box that is there answers before this. */
const TICKET_MS = 5_000;

/** Whose events were heard last. */
let listener: string | undefined;
/** The last event that was heard as such. */
let lastId: string | undefined;
const changed = new Set<string>();

/** Listens until the signal says to stop. @param who the user who is signed in */
export async function followEvents(who: string, stop: AbortSignal): Promise<void> {
  if (listener !== who) lastId = undefined;
  listener = who;
  // At once: the next one may be open before this one has ended.
  stop.addEventListener("abort", () => noteStream(false), { once: true });
  let failures = 0;
  while (!stop.aborted) {
    const heard = await listenOnce(stop);
    if (stop.aborted) return;
    noteStream(false);
    failures = heard ? 0 : failures + 1;
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0;
    await pauseFor(pause, stop);
  }
}

/** One connection, to its end. @returns whether it was opened */
async function listenOnce(stop: AbortSignal): Promise<boolean> {
  const ticket = await takeTicket(stop);
  if (ticket === undefined || stop.aborted) return false;
  return new Promise((resolve) => {
    let isOpen = false;
    const over = new AbortController();
    const { signal } = over;
    const socket = new WebSocket(addressOf(ticket));
    const end = () => {
      line.over();
      over.abort();
      resolve(isOpen);
    };
    // One that is dead would be heard no more, but its end takes as long as the network likes.
    const close = () => {
      socket.close();
      end();
    };
    const line = lifeline(close);
    stop.addEventListener("abort", close, { signal });
    const on: typeof socket.addEventListener = (type: string, heard: EventListener) =>
      socket.addEventListener(type, heard, { signal });
    on("open", () => {
      isOpen = true;
      line.heard();
      noteStream(true);
      // What happened before the first event that is heard was not told.
      if (lastId === undefined) void queries.invalidateQueries();
    });
    on("message", ({ data }) => {
      line.heard();
      heard(String(data));
    });
    on("close", ({ code }) => {
      if (code === TOO_OLD) lastId = undefined;
      end();
    });
  });
}

function addressOf(ticket: string): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const since = lastId === undefined ? "" : `&since=${encodeURIComponent(lastId)}`;
  const query = `ticket=${encodeURIComponent(ticket)}&beats=1${since}`;
  return `${scheme}://${location.host}/api/v1/events?${query}`;
}

async function takeTicket(stop: AbortSignal): Promise<string | undefined> {
  // Over a connection that is dead no answer would ever come.
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TICKET_MS)]);
  try {
    return (await answer(api.POST("/api/v1/events/ticket", { signal }))).ticket;
  } catch (error) {
    if (error instanceof GatewayError || signal.aborted) return undefined;
    throw error;
  }
}

function heard(text: string): void {
  noteSignOfLife();
  const event: { readonly id: string; readonly type: string } = JSON.parse(text);
  if (event.type === BEAT) return;
  lastId = event.id;
  const [subject = ""] = event.type.split(".");
  readAgain(subject);
}

function readAgain(subject: string): void {
  const isFirst = changed.size === 0;
  for (const path of CHANGES[subject] ?? []) changed.add(path);
  if (!isFirst) return;
  setTimeout(() => {
    const now = new Set(changed);
    changed.clear();
    queries.changed(({ queryKey: [path] }) => now.has(String(path)));
  }, GATHER_MS);
}

function pauseFor(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stop.addEventListener("abort", end);
  });
}
