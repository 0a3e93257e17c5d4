/** One printer of a test bed, and the document that is tried at it. */

import type { CrashCase, Measured } from "./cases.ts";
import { type DocumentKind, type Order, orderFor } from "./documents.ts";
import { countMessages, quieten, Trial } from "./run.ts";
import { either, recordAlike } from "./steps.ts";
import type { Stand } from "./test-bed.ts";

const NOT_SUPPORTED = "E201";

export class Lane {
  readonly stand: Stand;
  readonly kind: DocumentKind;
  #measured: Measured;
  #order: Order;

  private constructor(
    stand: Stand,
    { kind, order }: { readonly kind: DocumentKind; readonly order: Order },
    measured: Measured,
  ) {
    this.stand = stand;
    this.kind = kind;
    this.#order = order;
    this.#measured = measured;
  }

  /**
   * Agrees about what each frame changes, where the document goes the same way: only when the cases
   * of all are the same is each of them tried, however they are dealt.
   */
  static agree(lanes: readonly Lane[]): void {
    const [first = [], ...others] = lanes.map(({ measured }) => measured.steps);
    const steps = others.reduce(either, first);
    for (const lane of lanes) {
      lane.#measured = { ...lane.#measured, steps, frames: steps.length };
    }
  }

  /**
   * Makes a printer ready and tries the document at it.
   * @param measured what it takes at another printer of the model; measured when absent
   * @returns undefined when the device has no such document
   */
  static async open(
    stand: Stand,
    kind: DocumentKind,
    measured?: Measured,
  ): Promise<Lane | undefined> {
    const order = await orderFor(stand, kind);
    // Of a device without any receipt a driver may ask more than of others.
    const { id } = await stand.till.submit(stand.deviceId, order.type, order.payload);
    const { result } = await stand.till.wait(id);
    if (result?.errorCode === NOT_SUPPORTED) return undefined;
    const document = { kind, order };
    return new Lane(stand, document, measured ?? (await measure(stand, document)));
  }

  /** A case at this printer. */
  trial(strikes: CrashCase): Trial {
    return new Trial(this.stand, this.document, strikes);
  }

  get measured(): Measured {
    return this.#measured;
  }

  get document(): { readonly kind: DocumentKind; readonly order: Order } {
    return { kind: this.kind, order: this.#order };
  }

  /** Goes on with a new printer, after a case that left this one in a state nobody knows. */
  async renew(): Promise<void> {
    await this.stand.renew();
    this.#order = await orderFor(this.stand, this.kind);
  }
}

async function measure(
  stand: Stand,
  document: { readonly kind: DocumentKind; readonly order: Order },
): Promise<Measured> {
  const steps = await recordAlike(stand, document.order);
  const frames = steps.length;
  // A document that is half done takes other frames to find out than one that is finished.
  const halfway = await countRecovery(stand, document, Math.ceil(frames / 2));
  const finished = await countRecovery(stand, document, frames);
  const measured = { frames, steps, recoveryFrames: Math.max(halfway, finished) };
  const { remote } = stand;
  if (!remote) return measured;
  return { ...measured, messages: await countMessages(stand, remote.line, document.order) };
}

/** Frames from the loss of the line at this frame until the device is quiet again. */
async function countRecovery(
  stand: Stand,
  document: { readonly kind: DocumentKind; readonly order: Order },
  frame: number,
): Promise<number> {
  await quieten(stand);
  const before = await stand.printer.frames();
  const trial = new Trial(stand, document, [{ blow: "cut", side: "answer", frame }]);
  await trial.begin();
  await trial.conclude();
  await quieten(stand);
  return (await stand.printer.frames()) - before - frame;
}
