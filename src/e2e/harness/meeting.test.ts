import { describe, expect, test } from "bun:test";
import { Meeting } from "./meeting.ts";

/** As many as there are stories, each with what it does with the others. */
async function meet(...stories: readonly ((meeting: Meeting) => Promise<void>)[]) {
  const meeting = new Meeting();
  for (const _ of stories) meeting.enter();
  return Promise.allSettled(stories.map((story) => story(meeting).finally(() => meeting.leave())));
}

describe("what several do together", () => {
  const done: string[] = [];
  const act = (name: string) => async () => {
    done.push(name);
  };

  test("is done once, when all have come to it", async () => {
    done.length = 0;
    const story = (own: string) => async (meeting: Meeting) => {
      await act(own)();
      await meeting.together("first", act("first"));
      await meeting.together("second", act("second"));
    };
    await meet(story("a"), story("b"), story("c"));
    expect(done).toEqual(["a", "b", "c", "first", "second"]);
  });

  test("is done without those that have ended, or failed", async () => {
    done.length = 0;
    const ends = await meet(
      (meeting) => meeting.together("first", act("first")),
      async (meeting) => {
        await meeting.together("first", act("first"));
        throw new Error("too bad");
      },
      async (meeting) => {
        for (const name of ["first", "second"]) await meeting.together(name, act(name));
      },
    );
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(done).toEqual(["first", "second"]);
  });

  test("is not done when they have come to different things", async () => {
    done.length = 0;
    const ends = await meet(
      (meeting) => meeting.together("first", act("first")),
      (meeting) => meeting.together("other", act("other")),
    );
    expect(ends.map((end) => end.status === "rejected" && String(end.reason))).toEqual([
      "Error: they do not go through the same: first; other",
      "Error: they do not go through the same: first; other",
    ]);
    expect(done).toEqual([]);
  });

  test("fails at each of them", async () => {
    const fail = (meeting: Meeting) =>
      meeting.together("first", () => Promise.reject(new Error("no disk")));
    const ends = await meet(fail, fail);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
