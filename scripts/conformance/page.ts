/** docs/conformance.md: the rules as a page to read. */

import { basename } from "node:path";
import {
  ABSENT,
  type AbsentPart,
  isShown,
  type Section,
  type Specification,
  type WaitingRule,
} from "./rule.ts";
import { WITHIN } from "./test-titles.ts";

/** Where the page is, from the root of the repository. */
export const PAGE = "docs/conformance.md";

const HEADINGS: Readonly<Record<Specification, string>> = {
  interface: "The interface",
  decisions: "What settles its gaps",
};

/** The page, as it has to stand in the repository. */
export function conformancePage(sections: readonly Section[]): string {
  return [
    ...introduction(sections),
    ...sectionsOf("interface", sections),
    ...sectionsOf("decisions", sections),
    ...waiting(sections),
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join("\n");
}

function introduction(sections: readonly Section[]): string[] {
  const rules = sections.flatMap((section) => section.rules);
  const shown = rules.filter(isShown).length;
  return [
    "# What shows that the contract is kept",
    "Each rule of the API's specification, in our words, with a test that shows it: " +
      `${shown} rules. Behind them, [not there yet](#not-there-yet), ${rules.length - shown} rules ` +
      "of parts that this version lacks. Advice to clients is no rule and not listed, nor is what the specification " +
      "leaves open without settling it.",
    "A rule keeps its number for good. A test is named by its file and its titles as they are " +
      "written there, with the placeholders of those that run for a table of cases. This page is " +
      "written by `bun scripts/conformance.ts` from `scripts/conformance/`, where a test looks each " +
      "named test up and finds each route of the OpenAPI document among the rules. Links to tests " +
      "lead into the repository: a release holds the pages without them.",
  ];
}

function sectionsOf(specification: Specification, sections: readonly Section[]): string[] {
  const own = sections.filter(
    ({ of, rules }) => of === specification && rules.some((rule) => isShown(rule)),
  );
  return [`## ${HEADINGS[specification]}`, ...own.flatMap(shownRules)];
}

function shownRules({ title, rules }: Section): string[] {
  const rows = rules
    .filter(isShown)
    .map(({ id, rule, by }) => `| ${id} | ${cell(rule)} | ${by.map(testLink).join("<br>")} |`);
  return [`### ${title}`, ["| | Rule | Shown by |", "|---|---|---|", ...rows].join("\n")];
}

function testLink(name: string): string {
  const [path = "", ...titles] = name.split(WITHIN);
  return `[${basename(path)}](../${path}): ${cell(titles.join(" › "))}`;
}

function waiting(sections: readonly Section[]): string[] {
  const rules = sections
    .flatMap((section) => section.rules)
    .filter((rule): rule is WaitingRule => !isShown(rule));
  const parts = Object.keys(ABSENT).filter((part) => rules.some(({ awaits }) => awaits === part));
  return [
    "## Not there yet",
    "No test shows these rules, because this version lacks the part that they speak of.",
    ...parts.flatMap((part) => {
      const own = rules.filter(({ awaits }) => awaits === part);
      const rows = own.map(({ id, rule }) => `| ${id} | ${cell(rule)} |`);
      return [`### ${ABSENT[part as AbsentPart]}`, ["| | Rule |", "|---|---|", ...rows].join("\n")];
    }),
  ];
}

/** A text within a table of Markdown. */
function cell(text: string): string {
  return text.replace(/[|<>*_~\\]/g, (sign) => `\\${sign}`);
}
