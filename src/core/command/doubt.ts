/** Why a device cannot tell what became of a document, each with a code that languages go by. */

import { type Static, Type } from "@sinclair/typebox";
import { schemaCheckOf } from "../schema-check.ts";
import { oneOf } from "../schema-parts.ts";
import type { CommandResult } from "./command.ts";

/** Codes of which no more is told. A code never changes its meaning. */
const BARE_CODES = [
  ...(["others_printed", "maybe_theirs", "z_report_since"] as const),
  ...(["other_sums", "finished_by_hand", "not_told", "z_report_not_told"] as const),
  ...(["cash_not_told", "stays_open", "not_told_in_time", "other_device"] as const),
] as const;

const CLOSED = { additionalProperties: false };
const DocumentNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** As clients read it: a code, and what its words name. */
export const DoubtSchema = Type.Union(
  [
    Type.Object(
      {
        code: Type.Literal("other_number", {
          description: "The device is at document `number`; this one would be number `own`",
        }),
        params: Type.Object({ number: DocumentNumber, own: DocumentNumber }, CLOSED),
      },
      CLOSED,
    ),
    Type.Object(
      {
        code: oneOf(BARE_CODES),
        params: Type.Object({}, CLOSED),
      },
      CLOSED,
    ),
  ],
  {
    description:
      "Of what is `unknown` once the device was asked: why it does not tell. " +
      "`errorMessage` is the same in English",
  },
);

/** One reason, as it is stored. */
type ToldDoubt = Static<typeof DoubtSchema>;

const Told = schemaCheckOf(DoubtSchema);

/** The reason that a result names; undefined where it names none that is one. */
export function doubtOf(result: Pick<CommandResult, "data"> | null): ToldDoubt | undefined {
  const doubt = result?.data?.doubt;
  return Told.accepts(doubt) ? doubt : undefined;
}

/** One reason. */
export type Doubt = ToldDoubt & {
  /** In English, for programmers and the log. */
  readonly text: string;
};

function doubt(code: (typeof BARE_CODES)[number], text: string): Doubt {
  return { code, params: {}, text };
}

/** Each reason from what it names. */
export const DOUBTS = {
  /** @param own the number of the document in doubt; null where it got none */
  otherNumber: (number: number, own: number | null): Doubt =>
    own === null
      ? DOUBTS.othersPrinted(`The device has made document ${number} since`)
      : {
          ...{ code: "other_number", params: { number, own } },
          text: `The device is at document ${number}; ours was number ${own}`,
        },
  othersPrinted: (text = "Others have printed since the document was about to begin") =>
    doubt("others_printed", text),
  maybeTheirs: () => doubt("maybe_theirs", "The last document may be somebody else's"),
  zReportSince: () => doubt("z_report_since", "A Z report was made since"),
  otherSums: () =>
    doubt("other_sums", "The document on the device has other sums than the one that was sent"),
  finishedByHand: () => doubt("finished_by_hand", "Somebody finished the document on the device"),
  /** @param of what it says nothing of */
  notTold: (of: string) => doubt("not_told", `The device does not tell ${of}`),
  zReportNotTold: () =>
    doubt(
      "z_report_not_told",
      "The device does not tell whether it made this Z report, or one by other hands",
    ),
  cashNotTold: () =>
    doubt(
      "cash_not_told",
      "The device does not tell whether it moved this cash, or some by other hands",
    ),
  staysOpen: () => doubt("stays_open", "The document on the device can be neither ended nor read"),
  notToldInTime: () =>
    doubt("not_told_in_time", "The device could not tell in time whether the document was printed"),
  otherDevice: () => doubt("other_device", "Another device answers than the one that printed"),
} as const;
