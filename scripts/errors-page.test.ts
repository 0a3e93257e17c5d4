/** docs/errors.md knows every error code there is, and no other. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { API_ERROR_STATUS, FISCAL_ERRORS } from "#core/errors.ts";

const TEXT = readFileSync(join(import.meta.dir, "../docs/errors.md"), "utf8");

/** What each section answers, in this order. */
const QUESTIONS = ["What happened", "The sale", "Do", "The till"];

/** The sections by their headings, which are the anchors that links lead to: `#e306`. */
const SECTIONS = new Map(
  TEXT.split(/^### /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split(/^## /m)[0]?.split("\n") ?? [];
      return [heading, lines.join("\n")] as const;
    }),
);

test("each code has its section, in the order of the code's tables", () => {
  const codes = [...Object.keys(FISCAL_ERRORS), ...Object.keys(API_ERROR_STATUS)];
  expect([...SECTIONS.keys()]).toEqual(codes);
});

test("each section of a command's code has its name and whether it passes", () => {
  for (const [code, { name, retryable }] of Object.entries(FISCAL_ERRORS)) {
    const lasts = retryable ? "temporary" : "lasting";
    expect(SECTIONS.get(code)).toContain(`** (\`${name}\`, ${lasts})\n`);
  }
});

test("each section of a request's code has its status, and the table of statuses names it", () => {
  for (const [code, status] of Object.entries(API_ERROR_STATUS)) {
    expect(SECTIONS.get(code)).toContain(`** (${status})\n`);
    const row = TEXT.split("\n").find((line) => line.startsWith(`| ${status} |`));
    expect(row).toContain(`[${code}](#${code.toLowerCase()})`);
  }
});

test("each section says what happened, what it means for the sale, and what to do", () => {
  for (const [code, section] of SECTIONS) {
    const labels = [...section.matchAll(/^- \*\*([^*]+)\*\*: /gm)].map(([, label]) => label);
    expect({ code, labels }).toEqual({ code, labels: QUESTIONS });
  }
});
