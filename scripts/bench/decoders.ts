/** How fast the frame decoders read, beside what this machine can do with the same bytes. */

import * as custom from "#drivers/custom-serial/frame.ts";
import * as isl from "#drivers/isl/frame.ts";
import * as shtrih from "#drivers/shtrih/frame.ts";
import { seededDice } from "#drivers/testing/dice.ts";
import * as zfp from "#drivers/zfp/frame.ts";
import { percent, show, title } from "./measure.ts";

const CHUNK_BYTES = 4_096;
const STREAM_BYTES = 4 * 1_048_576;
const RUNS = 5;
/** What 115,200 baud bring at 10 bits a byte, in MB a second. */
const FASTEST_LINE_MB = 11_520 / 1_048_576;
const SEED = 1;
/** An answer of ordinary length. */
const ANSWER = "1\t0000042\t12\t1234.56\t1000.00\tDT123456-0001-0000001\t";

interface Reader {
  push(chunk: Uint8Array): readonly unknown[];
}

/** One family: an answer in a frame, and what reads it. */
interface Family {
  readonly name: string;
  readonly frame: Uint8Array;
  readonly reader: () => Reader;
}

const data = new TextEncoder().encode(ANSWER);
const status = (generation: isl.Generation) =>
  new Uint8Array(isl.STATUS_BYTES[generation]).fill(0x80);

const FAMILIES: readonly Family[] = [
  ...(["long", "short"] as const).map((generation) => ({
    name: `ISL, ${generation} frames`,
    frame: isl.encodeReply(generation, {
      seq: isl.SEQUENCE.min,
      command: 0x4c,
      data,
      status: status(generation),
    }),
    reader: () => new isl.ReplyDecoder(generation),
  })),
  {
    name: "ZFP",
    frame: zfp.encodeData({ nbl: zfp.MESSAGE_NUMBERS.min, command: 0x72, data }),
    reader: () => new zfp.ReplyDecoder(),
  },
  {
    name: "Shtrih-M",
    frame: shtrih.encodeFrame(data),
    reader: () => new shtrih.FrameDecoder(),
  },
  {
    name: "CUSTOM",
    frame: custom.encodeFrame({ counter: 1, body: ANSWER.replaceAll("\t", ";") }),
    reader: () => new custom.FrameDecoder(),
  },
];

/** Measures each family's decoder over whole frames and over noise. */
export function decoders(): void {
  title(`Frame decoders: MB a second in chunks of ${CHUNK_BYTES} bytes`);
  const noise = noiseStream();
  const loop = megabytesPerSecond(noise, xorLoop());
  show("ceiling: a bare loop that xors the bytes", rate(loop));
  show("ceiling: a copy of the bytes", rate(megabytesPerSecond(noise, copyLoop())));
  for (const { name, frame, reader } of FAMILIES) {
    const { bytes, frames } = frameStream(frame);
    requireAllRead(name, reader(), { bytes, frames });
    const whole = megabytesPerSecond(bytes, reader());
    const noisy = megabytesPerSecond(noise, reader());
    show(
      `${name}, frames of ${frame.length} bytes`,
      rate(whole),
      `${percent(whole, loop, 1)} of the loop; noise ${rate(noisy)}; ` +
        `${Math.round(Math.min(whole, noisy) / FASTEST_LINE_MB).toLocaleString("en")} ` +
        "times a line of 115,200 baud",
    );
  }
}

const rate = (value: number): string => `${value.toFixed(0)} MB/s`;

function frameStream(frame: Uint8Array): { bytes: Uint8Array; frames: number } {
  const frames = Math.floor(STREAM_BYTES / frame.length);
  const bytes = new Uint8Array(frames * frame.length);
  for (let index = 0; index < frames; index++) bytes.set(frame, index * frame.length);
  return { bytes, frames };
}

function noiseStream(): Uint8Array {
  const dice = seededDice(SEED);
  return Uint8Array.from({ length: STREAM_BYTES }, () => dice(256));
}

/** A decoder that finds fewer frames than there are would only look fast. */
function requireAllRead(
  name: string,
  reader: Reader,
  stream: { readonly bytes: Uint8Array; readonly frames: number },
): void {
  let found = 0;
  for (const chunk of chunksOf(stream.bytes)) found += reader.push(chunk).length;
  if (found !== stream.frames) throw new Error(`${name}: ${found} of ${stream.frames} frames`);
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  }
  return chunks;
}

/** The best of some runs: what else the machine does can only make one slower. */
function megabytesPerSecond(bytes: Uint8Array, reader: Reader): number {
  const chunks = chunksOf(bytes);
  let bestMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run <= RUNS; run++) {
    const begin = performance.now();
    for (const chunk of chunks) reader.push(chunk);
    bestMs = Math.min(bestMs, performance.now() - begin);
  }
  return bytes.length / 1_048_576 / (bestMs / 1_000);
}

function xorLoop(): Reader {
  let sum = 0;
  return {
    push(chunk) {
      for (let at = 0; at < chunk.length; at++) sum ^= chunk[at] ?? 0;
      // What nobody asks for might not be reckoned at all.
      return sum === -1 ? [sum] : [];
    },
  };
}

function copyLoop(): Reader {
  const copy = new Uint8Array(CHUNK_BYTES);
  return {
    push(chunk) {
      copy.set(chunk);
      return [];
    },
  };
}
