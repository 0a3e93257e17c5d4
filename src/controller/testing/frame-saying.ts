import type { KeptFrame, TracedFrame } from "#core/device/trace.ts";

/** A frame as it is kept that is put into these words. */
export function frameSaying(words: TracedFrame): KeptFrame {
  const { direction, byteCount, isDamaged, hex } = words;
  const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
  return { direction, byteCount, isDamaged, bytes, masked: [], describe: () => words };
}
