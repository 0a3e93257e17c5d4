/**
 * What goes over a device's line: the frames as they are kept, the same in words as the line monitor
 * shows them, and what became of the line itself. What is shown is plain data, so that a controller
 * anywhere can send it.
 *
 * Operator passwords and the like are overwritten where a frame is read, before anything is kept.
 * Words are made when somebody looks: most frames pass unseen.
 */

/** As the gateway sees it: `out` is to the device. */
export type LineDirection = "out" | "in";

interface FrameBase {
  readonly direction: LineDirection;
  /** How many bytes it has on the line. */
  readonly byteCount: number;
  /** True for bytes that are no frame, or not a whole one. */
  readonly isDamaged: boolean;
}

/** Bytes that are not shown, `from` inclusive to `to` exclusive. */
export interface Masked {
  readonly from: number;
  readonly to: number;
}

/** One frame, control byte or run of bytes without meaning, as it is kept: without its secrets. */
export interface KeptFrame extends FrameBase {
  /** Its bytes, zeros where a secret stood; those beyond what can be shown may be left out. */
  readonly bytes: Uint8Array;
  /** Where secrets stood in its bytes. */
  readonly masked: readonly Masked[];
  /** Puts it into words. Whenever that is, they are those of the moment in which it passed. */
  describe(): TracedFrame;
}

/** The same as it is shown. */
export interface TracedFrame extends FrameBase {
  /** What it is, in a few words: `48 open sale`, `ACK`. */
  readonly name: string;
  /** Its content in words a person reads, on one line, secrets masked; may be empty. */
  readonly text: string;
  /** Its bytes in hexadecimal, `**` for each masked one; those beyond `SHOWN_BYTES_MAX` left out. */
  readonly hex: string;
}

/** Bytes of one frame that are shown. */
export const SHOWN_BYTES_MAX = 256;
/** Characters of a frame's text that are shown. */
export const SHOWN_CHARACTERS_MAX = 400;
/** Frames that are kept of each device. */
export const TRACE_FRAMES_MAX = 200;
/** What happened to the line is kept besides, so that a device that is off keeps its last frames. */
export const TRACE_EVENTS_MAX = 50;
/** Of both together. */
export const TRACE_ENTRIES_MAX = TRACE_FRAMES_MAX + TRACE_EVENTS_MAX;

/**
 * Finds the frames in the bytes of one line, in both directions. Holds at most one unfinished frame
 * a direction, whatever comes in, and no secret longer than the exchange it belongs to.
 */
export interface FrameReader {
  /**
   * Takes bytes as they pass.
   * @param bytes `out`: what the driver wrote in one go, whole frames; `in`: whatever came
   * @returns what they complete, in order
   */
  read(direction: LineDirection, bytes: Uint8Array): KeptFrame[];
  /** What stands unfinished when the line ends. */
  rest(): KeptFrame[];
}

/** What became of a line. */
export const LINE_EVENTS = ["opened", "identified", "failed", "closed"] as const;
export type LineEvent = (typeof LINE_EVENTS)[number];

interface EntryBase {
  /** Counts the entries of a device from 1; an entry that changed keeps its number. */
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  /** How often the same came in a row; then `at` is the first time and `lastAt` the last. */
  readonly times: number;
  readonly lastAt: string;
}

/** One line of the monitor. */
export type TraceEntry =
  | ({ readonly kind: "frame" } & EntryBase & TracedFrame)
  | ({ readonly kind: "line"; readonly event: LineEvent; readonly text: string } & EntryBase);

/** Who looks at a device's line. */
export interface LineViewer {
  /** Once, first: what is kept, oldest first. */
  begin(entries: readonly TraceEntry[]): void;
  /** A new entry, or one that changed. */
  entry(entry: TraceEntry): void;
  /**
   * Nothing more comes: the device's line is no longer there to see. Without `begin` before it, it
   * never was, or too many look at it already.
   */
  ended(): void;
}

/** Shows a device's line to a viewer, wherever its controller is. @returns ends it */
export type WatchLine = (deviceId: string, viewer: LineViewer) => () => void;
