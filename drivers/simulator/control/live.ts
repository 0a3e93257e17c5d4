/**
 * What the page of a simulated device shows and follows: its state as server-sent events, and its
 * paper as pictures. Source of the event format: HTML Living Standard, 9.2.
 */

import type { PrintedDocument } from "../books/books.ts";
import { timeText } from "../books/books-view.ts";
import { layDocument, layOpenDocument } from "../paper/layout.ts";
import { type PaperPiece, paperSvg } from "../paper/svg.ts";
import { colouredPaper } from "../paper/terminal.ts";
import type { ControlledDevice } from "./controlled-device.ts";

const WATCHERS_MAX = 16;
/** Sent when nothing changes, so that a connection that is dead is noticed. */
const KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE = ":\n\n";
/** Lines of a whole roll that are shown; the documents before them are left out. */
const SHOWN_LINES_MAX = 8_000;
/** Documents that the page shows. */
const SHOWN_DOCUMENTS = 12;

const PICTURE_HEADERS = {
  "content-type": "image/svg+xml; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
};

/** What the page shows of a device. */
export function stateOf(device: ControlledDevice): Record<string, unknown> {
  const { memory, engine, faults, changes, driver, model, layout } = device;
  const { books } = memory;
  const { open, conditions } = books;
  return {
    revision: changes.revision,
    device: { driver, model, serialNumber: layout.serialNumber, columns: layout.columns },
    documents: books.recent.slice(-SHOWN_DOCUMENTS).map(({ number }) => number),
    open: open && (open.open === "service" ? open.number : open.head.number),
    conditions,
    ...engine.condition,
    zNumber: books.zNumber,
    receiptCount: books.receipts.count,
    cash: books.cashMinor,
    clock: timeText(memory.clock()),
    frames: faults.received,
  };
}

/** Watchers of a device's state, of which there may only be so many. */
export class LiveState {
  readonly #device: ControlledDevice;
  readonly #ending = new AbortController();
  /** Runs while anybody watches. */
  #nudging: NodeJS.Timeout | undefined;
  #watchers = 0;

  constructor(device: ControlledDevice) {
    this.#device = device;
  }

  /**
   * Sends the state now and after changes. A watcher that reads slowly gets fewer of them: what is
   * sent is always the state as it is then, and nothing is kept for anybody.
   */
  watch(request: Request): Response {
    if (this.#watchers >= WATCHERS_MAX) {
      return Response.json({ error: `${WATCHERS_MAX} watch already` }, { status: 503 });
    }
    this.#watchers += 1;
    this.#nudging ??= setInterval(() => this.#device.changes.nudge(), KEEP_ALIVE_MS);
    const gone = new AbortController();
    const signal = AbortSignal.any([request.signal, this.#ending.signal, gone.signal]);
    signal.addEventListener("abort", () => {
      this.#watchers -= 1;
      if (this.#watchers > 0) return;
      clearInterval(this.#nudging);
      this.#nudging = undefined;
    });
    let seen = -1;
    const stream = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { changes } = this.#device;
        if (seen === changes.revision) await changes.next(signal);
        if (signal.aborted) {
          controller.close();
          return;
        }
        const isNew = seen !== changes.revision;
        seen = changes.revision;
        const text = isNew ? `data: ${JSON.stringify(stateOf(this.#device))}\n\n` : KEEP_ALIVE;
        controller.enqueue(new TextEncoder().encode(text));
      },
      cancel: () => gone.abort(),
    });
    return new Response(stream, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  }

  /** Lets all watchers go. */
  end(): void {
    this.#ending.abort();
  }
}

/** One document as a picture, the open one as far as it is; undefined when it is not kept. */
export function documentPicture(device: ControlledDevice, number: number): Response | undefined {
  const { memory, layout } = device;
  const { books } = memory;
  const document = books.recent.findLast((recent) => recent.number === number);
  const piece = document ? pieceOf(device, document) : openPiece(device, number);
  return piece && picture(paperSvg([piece], layout, `Document ${number}`));
}

/** The last documents as one picture, with what is printed of the open one. */
export function rollPicture(device: ControlledDevice, last: number): Response {
  return picture(rollSvg(device, last));
}

/** The picture itself. */
export function rollSvg(device: ControlledDevice, last: number): string {
  return paperSvg(piecesOf(device, last), device.layout, "Paper");
}

/** The same for a terminal with colours. */
export function rollText(device: ControlledDevice, last: number): string {
  const paper = colouredPaper(device.layout.columns);
  const lines = piecesOf(device, last).flatMap((piece) => [
    ...piece.lines.flatMap((line) => paper.line(line)),
    ...(piece.isTorn ? paper.cut() : []),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

function piecesOf(device: ControlledDevice, last: number): PaperPiece[] {
  const open = openPiece(device);
  const pieces = open ? [open] : [];
  let lines = open?.lines.length ?? 0;
  const documents = last === 0 ? [] : device.memory.books.recent.slice(-last);
  for (const document of documents.reverse()) {
    const piece = pieceOf(device, document);
    lines += piece.lines.length;
    if (lines > SHOWN_LINES_MAX) break;
    pieces.unshift(piece);
  }
  return pieces;
}

function pieceOf({ memory, layout }: ControlledDevice, document: PrintedDocument): PaperPiece {
  return { lines: layDocument(document, memory.books, layout), isTorn: true };
}

function openPiece(device: ControlledDevice, number?: number): PaperPiece | undefined {
  const { memory, layout } = device;
  const { open } = memory.books;
  if (!open) return undefined;
  const openNumber = open.open === "service" ? open.number : open.head.number;
  if (number !== undefined && number !== openNumber) return undefined;
  return { lines: layOpenDocument(memory.books, layout), isTorn: false };
}

function picture(svg: string): Response {
  return new Response(svg, { headers: PICTURE_HEADERS });
}
