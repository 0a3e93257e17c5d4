/** Pictures of the steps: a printer from its side, its front to the left. The words beside say the same. */

import styles from "./load-paper.module.css";

/** In their order. */
export const STEPS = ["cover", "old", "new", "pull", "shut"] as const;
export type LoadingStep = (typeof STEPS)[number];

/** The box with the hollow for the roll. */
const BODY = "M14 104V66h32a34 34 0 0 0 68 0h32v38z";
const LID_OPEN = "M146 64 156 22q1-6-5-7l-30-7";
const LID_SHUT = "M14 64V52q0-18 18-18h96q18 0 18 18v12";
const TAIL_SHORT = "M54 66Q36 62 26 58";
const TAIL_LONG = "M54 66Q34 60 16 62q-8 1-10 10v14";
const TAIL_SHUT = "M14 58q-7 1-8 9v16";

type Place = readonly [x: number, y: number];

/** What a step shows beside the body. */
interface Drawing {
  readonly lid: string;
  readonly roll?: { readonly at: Place; readonly size: number; readonly isHidden?: true };
  readonly tail?: string;
  readonly arrow: string;
}

const DRAWINGS: Readonly<Record<LoadingStep, Drawing>> = {
  cover: {
    lid: "M146 64 138 34q-3-10-12-8L28 50q-8 2-6 8",
    arrow: "M22 40Q22 18 44 12m-9-4 9 4-6 8",
  },
  old: { lid: LID_OPEN, roll: { at: [80, 50], size: 9 }, arrow: "M80 36V12m-8 8 8-8 8 8" },
  new: { lid: LID_OPEN, roll: { at: [80, 66], size: 28 }, arrow: "M80 6v24m-8-8 8 8 8-8" },
  pull: {
    lid: LID_OPEN,
    roll: { at: [80, 66], size: 28 },
    tail: TAIL_LONG,
    arrow: "M42 46H14m8-8-8 8 8 8",
  },
  shut: {
    lid: LID_SHUT,
    roll: { at: [80, 66], size: 28, isHidden: true },
    tail: TAIL_SHUT,
    arrow: "M80 4v22m-8-8 8 8 8-8",
  },
};

export function StepPicture({ step }: { readonly step: LoadingStep }) {
  const { lid, roll, tail, arrow } = DRAWINGS[step];
  return (
    <svg className={styles.picture} viewBox="0 0 164 112" aria-hidden="true" focusable="false">
      {roll !== undefined && (
        <g className={styles.paper} data-hidden={roll.isHidden === true}>
          <circle cx={roll.at[0]} cy={roll.at[1]} r={roll.size} />
          <circle cx={roll.at[0]} cy={roll.at[1]} r={Math.min(8, roll.size - 4)} />
          {step === "new" && <path d={TAIL_SHORT} />}
        </g>
      )}
      <path className={styles.body} d={BODY} />
      <path className={styles.lid} d={lid} />
      {tail !== undefined && <path className={styles.tail} d={tail} />}
      <path className={styles.arrow} d={arrow} />
    </svg>
  );
}
