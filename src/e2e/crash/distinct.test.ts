import { describe, expect, test } from "bun:test";
import {
  BLOWS,
  type CrashCase,
  deeds,
  type Measured,
  REMOTE_BLOWS,
  type Step,
  singles,
  strikes,
} from "./cases.ts";
import { distinct } from "./distinct.ts";

/**
 * A letter for each frame: what it changes in the stored state (s), in the books (b), in both (a) or
 * in neither (-). What comes behind those was in no recording (?).
 */
function measured(letters: string): Measured {
  const steps = [...letters.replaceAll("?", "")].map((letter): Step => {
    return { isStored: "sa".includes(letter), isBooked: "ba".includes(letter) };
  });
  return { frames: letters.length, steps, recoveryFrames: 1 };
}

function casesOf(of: Measured, blow: string): string[] {
  return distinct(of, singles(of))
    .filter(([strike]) => strike.blow === blow)
    .map(([{ side, frame }]) => `${side} ${frame}`);
}

const DOCUMENTS = ["-", "s--a-bb-s-b--", "aaaa", "-b-??"] as const;

describe("what a gateway finds that was killed", () => {
  /** What is stored and what is booked at each moment, as a number for each. */
  function statesOf({ frames, steps }: Measured): Map<string, string> {
    const states = new Map<string, string>();
    let [stored, booked] = [0, 0];
    for (let frame = 1; frame <= frames; frame += 1) {
      const { isStored, isBooked } = steps[frame - 1] ?? { isStored: true, isBooked: true };
      if (isStored) stored += 1;
      states.set(`request ${frame}`, `${stored} ${booked}`);
      if (isBooked) booked += 1;
      states.set(`answer ${frame}`, `${stored} ${booked}`);
    }
    return states;
  }

  test.each(DOCUMENTS)("is tried once, all that there is of it: %s", (letters) => {
    const document = measured(letters);
    const states = statesOf(document);
    const tried = casesOf(document, "kill").map((moment) => states.get(moment));
    expect(tried.toSorted()).toEqual([...new Set(states.values())].toSorted());
  });

  test("is the first and the last moment of those that are alike, in turn", () => {
    const document = measured("--b--b--");
    expect(casesOf(document, "kill")).toEqual(["request 1", "request 6", "answer 6"]);
  });
});

describe("what a gateway meets that runs on", () => {
  test.each(DOCUMENTS)("is a cut and a loss of power at every frame: %s", (letters) => {
    const document = measured(letters);
    for (const { frame } of strikes(document.frames, ["cut"])) {
      const { isStored, isBooked } = document.steps[frame - 1] ?? {
        isStored: true,
        isBooked: true,
      };
      const sides = isStored || isBooked ? 2 : 1;
      const at = (blow: string) =>
        casesOf(document, blow).filter((moment) => moment.endsWith(` ${frame}`));
      expect(new Set(at("cut")).size).toBe(sides);
      expect(new Set(at("power")).size).toBe(sides);
      // On both sides together, whichever takes which.
      const struck = [...at("cut"), ...at("power")];
      expect(new Set(struck).size).toBe(2);
      expect(at("unplug").length).toBe(sides - 1);
    }
  });

  test("is each thing on each side of the printer, frame by frame", () => {
    const document = measured("bbbb----");
    for (const blow of ["cut", "power", "unplug"]) {
      const sides = casesOf(document, blow).map((moment) => moment.split(" ")[0]);
      expect(new Set(sides).size).toBe(2);
    }
  });
});

test("what others do, and what comes at a message, is no repetition", () => {
  const document = { ...measured("s--a-bb-"), messages: 3 };
  const acts = deeds(document);
  expect(distinct(document, acts)).toEqual(acts);
  const all = singles(document).filter(([{ blow }]) => blow === "cut_link");
  expect(distinct(document, all)).toEqual(all);
  expect(casesOf(document, "kill_controller").length).toBe(casesOf(document, "kill").length);
});

test("of pairs the first strike decides", () => {
  const document = measured("s--a");
  const second = { blow: "cut", side: "answer", frame: 1 } as const;
  const blows = [...BLOWS, ...REMOTE_BLOWS.filter((blow) => blow === "kill_controller")];
  const firsts = strikes(document.frames, blows);
  const pairs = firsts.map((first): CrashCase => [first, second]);
  const alone = firsts.map((first): CrashCase => [first]);
  expect(distinct(document, pairs).map(([first]) => first)).toEqual(
    distinct(document, alone).map(([first]) => first),
  );
});
