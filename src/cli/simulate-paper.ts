/** Prints the paper of simulated devices to the terminal, or as plain text where there is none. */

import type { PaperLayout } from "#drivers/simulator/paper/layout.ts";
import type { PaperEvent } from "#drivers/simulator/paper/roll.ts";
import {
  colouredPaper,
  plainPaper,
  type TerminalPaper,
} from "#drivers/simulator/paper/terminal.ts";
import { currentSurroundings } from "../config/surroundings.ts";
import { printLine } from "./output.ts";

/** Takes what comes out of a device that prints on this layout. */
export type PaperPrinter = (event: PaperEvent, layout: PaperLayout) => void;

/** True when a person sees the standard output. */
export function hasTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** Paper as the standard output can show it. */
function terminalPaper(columns: number): TerminalPaper {
  const { NO_COLOR: noColour = "", TERM: terminal } = currentSurroundings().environment;
  const hasColours = hasTerminal() && noColour === "" && terminal !== "dumb";
  return hasColours ? colouredPaper(columns) : plainPaper(columns);
}

/** Prints each line at once. */
export function paperPrinter(): PaperPrinter {
  let paper: TerminalPaper | undefined;
  return (event, { columns }) => {
    paper ??= terminalPaper(columns);
    for (const line of linesOf(event, paper)) printLine(line);
  };
}

/** Prints whole documents under a heading, so that those of several devices do not mix. */
export function documentPrinter(heading: string): PaperPrinter {
  let paper: TerminalPaper | undefined;
  let lines: string[] = [];
  return (event, { columns }) => {
    paper ??= terminalPaper(columns);
    lines.push(...linesOf(event, paper));
    if (event.kind === "line") return;
    for (const line of [heading, ...lines]) printLine(line);
    lines = [];
  };
}

function linesOf(event: PaperEvent, paper: TerminalPaper): readonly string[] {
  return event.kind === "line" ? paper.line(event.line) : paper.cut();
}
