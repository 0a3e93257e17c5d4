/** A checked profile, ready for use: templates read, bytes as numbers, faults named by their path. */

import type { SerialSettings } from "#core/device/serial-address.ts";
import { FiscalError, type FiscalErrorCode, type ValidationIssue } from "#core/errors.ts";
import type { PaymentMethod } from "#core/receipt.ts";
import { type ActionName, type ActionRule, isActionName, ruleOf } from "./actions.ts";
import { type FrameFormat, isBody } from "./frame.ts";
import type { WholeProfile } from "./profile.ts";
import {
  fieldsOf,
  type Pattern,
  parsePattern,
  parseTemplate,
  type Template,
  TemplateFault,
  takes,
} from "./template.ts";

/** How one action is written and its answer read. */
export interface ProfileCommand {
  readonly template: Template;
  /** Undefined: whatever follows the echo means "done". */
  readonly pattern: Pattern | undefined;
  /** What fits this is a whole answer; undefined where only silence tells that no more comes. */
  readonly whole: Pattern | undefined;
  readonly slow: boolean;
}

/** The serial port of a device, with its flow control. */
export type ProfileSerial = Required<SerialSettings>;

type Unchanged = Pick<
  WholeProfile,
  "id" | "title" | "unconfirmed" | "models" | "timeouts" | "status" | "text" | "limits" | "vat"
>;

/** A profile as the driver uses it. */
export interface Profile extends Unchanged {
  readonly serial: readonly ProfileSerial[];
  readonly format: FrameFormat;
  readonly hostAck: WholeProfile["framing"]["hostAck"];
  readonly replies: WholeProfile["framing"]["replies"];
  readonly echoLength: number;
  readonly commands: ReadonlyMap<ActionName, ProfileCommand>;
  readonly errors: {
    readonly prefix: string;
    readonly extended: string;
    readonly meanings: ReadonlyMap<string, FiscalErrorCode | "busy">;
  };
  readonly tenders: Readonly<Partial<Record<PaymentMethod, string>>>;
}

/** E201: the profile has no such command. */
export function lacks({ id }: Pick<Profile, "id">, name: ActionName): FiscalError {
  return new FiscalError("E201", `The profile ${id} has no command ${name}`);
}

/** The profile, or everything that is wrong with it. */
export type Compilation =
  | { readonly profile: Profile }
  | { readonly faults: readonly ValidationIssue[] };

/** Checks what a schema cannot say, and makes the profile ready. */
export function compileProfile(whole: WholeProfile): Compilation {
  const commands = new Map<ActionName, ProfileCommand>();
  const faults = [
    ...framingFaults(whole),
    ...letterFaults(whole),
    ...refusalFaults(whole),
    ...textFaults(whole),
    ...vatFaults(whole),
  ];
  for (const [name, entry] of Object.entries(whole.commands)) {
    if (!isActionName(name) || entry === null) continue;
    const result = compileCommand(name, entry, whole.framing.echoLength);
    if ("faults" in result) {
      faults.push(
        ...result.faults.map(({ path, message }) => ({
          path: `commands.${name}${path}`,
          message,
        })),
      );
    } else {
      commands.set(name, result);
    }
  }
  if (faults.length > 0) return { faults };
  return { profile: assemble(whole, commands) };
}

function assemble(whole: WholeProfile, commands: ReadonlyMap<ActionName, ProfileCommand>): Profile {
  const { framing, errors } = whole;
  const { id, title, unconfirmed, models, timeouts, status, text, limits, vat } = whole;
  return {
    ...{ id, title, unconfirmed, models, timeouts, status, text, limits, vat },
    serial: whole.serial.map(({ flow = "none", ...settings }) => ({ ...settings, flow })),
    format: {
      start: byteOf(framing.start),
      end: byteOf(framing.end),
      counterDigits: framing.counterDigits,
      ident: framing.ident,
      checksum: framing.checksum,
      ack: byteOf(framing.ack),
      nack: byteOf(framing.nack),
      bodyBytesMax: framing.bodyBytesMax,
    },
    hostAck: framing.hostAck,
    replies: framing.replies,
    echoLength: framing.echoLength,
    commands,
    errors: {
      prefix: errors.prefix,
      extended: errors.extended,
      meanings: new Map(Object.entries(errors.meanings)),
    },
    tenders: tendersOf(whole),
  };
}

function byteOf(hex: string | null): number | undefined {
  return hex === null ? undefined : Number.parseInt(hex, 16);
}

function tendersOf({ tenders }: WholeProfile): Profile["tenders"] {
  const known: Partial<Record<PaymentMethod, string>> = {};
  for (const [method, code] of Object.entries(tenders)) {
    if (typeof code === "string") Object.assign(known, { [method]: code });
  }
  return known;
}

type CommandFaults = { readonly faults: readonly ValidationIssue[] };

function compileCommand(
  name: ActionName,
  entry: string | { readonly send: string; readonly reply?: string; readonly slow?: boolean },
  echoLength: number,
): ProfileCommand | CommandFaults {
  const rule = ruleOf(name);
  const { send, reply, slow = false } = typeof entry === "string" ? { send: entry } : entry;
  const template = attempt(() => parseTemplate(send));
  const pattern = reply === undefined ? undefined : attempt(() => parsePattern(reply));
  const sendPath = typeof entry === "string" ? "" : ".send";
  const faults = [
    ...(template instanceof TemplateFault
      ? [{ path: sendPath, message: template.message }]
      : templateFaults(template, rule).map((message) => ({ path: sendPath, message }))),
    ...(pattern instanceof TemplateFault
      ? [{ path: ".reply", message: pattern.message }]
      : patternFaults(pattern, rule).map((message) => ({ path: ".reply", message }))),
  ];
  if (faults.length > 0 || template instanceof TemplateFault || pattern instanceof TemplateFault) {
    return { faults };
  }
  return { template, pattern, whole: wholeOf(pattern, echoLength), slow };
}

/** The pattern without an end that nobody reads. */
function wholeOf(pattern: Pattern | undefined, echoLength: number): Pattern | undefined {
  if (!pattern) return [{ kind: "text", name: "", width: echoLength }];
  const last = pattern.at(-1);
  const isOpen = last?.kind === "rest" && last.name === "";
  const whole = isOpen ? pattern.slice(0, -1) : pattern;
  const isEndless = whole.some(
    (part) => part.kind === "rest" || (part.kind === "digits" && part.width === 0),
  );
  return isEndless ? undefined : whole;
}

function attempt<T>(parse: () => T): T | TemplateFault {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TemplateFault) return error;
    throw error;
  }
}

function templateFaults(template: Template, { variables }: ActionRule): string[] {
  return fieldsOf(template).flatMap((field) => {
    const kind = variables[field.name];
    if (kind === undefined) {
      const known = Object.keys(variables).join(", ") || "none";
      return [`{${field.name}}: no such value here; there are: ${known}`];
    }
    return takes(field, kind) ? [] : [`{${field.name}}: this form cannot hold a value of ${kind}`];
  });
}

function patternFaults(pattern: Pattern | undefined, { answer }: ActionRule): string[] {
  const must = answer?.must ?? [];
  const known = [...must, ...(answer?.may ?? [])];
  const names = (pattern ?? []).flatMap((part) =>
    part.kind === "literal" || part.name === "" ? [] : [part.name],
  );
  return [
    ...must.filter((name) => !names.includes(name)).map((name) => `needs the field {${name}}`),
    ...names
      .filter((name) => !known.includes(name))
      .map((name) => `{${name}}: nobody reads this field; write {*} or literal text`),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => `{${name}}: stands twice`),
  ];
}

/** The bytes around commands, and those that answer them. */
const SIGNS = ["start", "end", "ack", "nack"] as const;

function framingFaults({ framing, commands }: WholeProfile): ValidationIssue[] {
  const { checksum, replies, counterDigits, echoLength } = framing;
  const [start, end, ack, nack] = [framing.start, framing.end, framing.ack, framing.nack].map(
    (hex) => (hex === null ? null : hex.toUpperCase()),
  );
  const isSilent = replies === "none";
  const rules: readonly (readonly [boolean, string, string])[] = [
    [end === null && !isSilent, "end", "Without it there can be no replies"],
    [start !== null && start === end, "end", "Expected another byte than start"],
    [checksum.kind !== "none" && checksum.over.length === 0, "checksum.over", "Covers nothing"],
    [end === null && checksum.kind !== "none", "checksum.kind", "Expected none without end"],
    [
      checksum.kind === "xor1" && checksum.place === "beforeEnd" && !isSilent,
      "checksum.place",
      "Expected afterEnd with xor1, whose byte may be that of start or end",
    ],
    [ack !== null && ack === nack, "nack", "Expected another byte than ack"],
    ...SIGNS.map((name) => {
      const byte = byteOf(framing[name]) ?? 0;
      const isText = byte >= 0x20 && byte <= 0x7e;
      return [isText, name, "Expected a byte that no command has in its text"] as const;
    }),
    [
      !isSilent && !commands.openDocuments && !commands.step,
      "replies",
      "Needs openDocuments or step: nothing else tells what stands open",
    ],
    [counterDigits > 0 && nack === null, "nack", "A repeated counter could not be told"],
    [counterDigits > 0 && !commands.openDocuments, "counterDigits", "Needs openDocuments"],
    [isSilent && ack !== null, "ack", "Expected null without replies"],
    [isSilent && echoLength > 0, "echoLength", "Expected 0 without replies"],
  ];
  return rules
    .filter(([isFault]) => isFault)
    .map(([, name, message]) => ({ path: `framing.${name}`, message }));
}

/** What is sent as it stands must have no letters that break a frame. */
function letterFaults({ framing, commands, tenders, vat }: WholeProfile): ValidationIssue[] {
  const format = {
    start: byteOf(framing.start),
    end: byteOf(framing.end),
    ack: byteOf(framing.ack),
    nack: byteOf(framing.nack),
  };
  const named = (root: string, texts: Readonly<Record<string, unknown>>) =>
    Object.entries(texts).map(([name, text]) => ({ path: `${root}.${name}`, text }));
  const sent = Object.entries(commands).map(([name, entry]) =>
    typeof entry === "string" || entry === null
      ? { path: `commands.${name}`, text: entry }
      : { path: `commands.${name}.send`, text: entry.send },
  );
  return [
    ...sent,
    ...named("tenders", tenders),
    ...named("vat.groups", vat.groups),
    { path: "vat.exempt", text: vat.exempt },
    { path: "framing.ident", text: framing.ident },
  ]
    .filter(({ text }) => typeof text === "string" && !isBody(text, format))
    .map(({ path }) => ({ path, message: "Expected characters that a frame can hold" }));
}

/** An answer that says "done" must not look like a refusal. */
function refusalFaults({ commands, errors, framing }: WholeProfile): ValidationIssue[] {
  if (framing.replies === "none") return [];
  const alike = Object.entries(commands).find(([, entry]) => {
    const send = typeof entry === "string" ? entry : entry?.send;
    return send?.startsWith(errors.prefix) === true;
  });
  if (!alike) return [];
  return [{ path: "errors.prefix", message: `The command ${alike[0]} begins like it` }];
}

function textFaults({ text }: WholeProfile): ValidationIssue[] {
  const texts = [
    ...(
      ["discount", "surcharge", "cancel", "payment", "saleNumber", "customer", "vatName"] as const
    ).map((name) => ({ path: `text.${name}`, value: text[name] })),
    ...Object.entries(text.replace).map(([letter, value]) => ({
      path: `text.replace.${letter}`,
      value,
    })),
  ];
  return texts
    .filter(({ value }) =>
      Array.from(value).some((one) => one < " " || one.charCodeAt(0) > text.highest),
    )
    .map(({ path }) => ({ path, message: "Expected characters that the device takes" }));
}

function vatFaults({ vat, limits }: WholeProfile): ValidationIssue[] {
  const codes = Object.values(vat.groups);
  return [
    ...(codes.length === 0 ? [{ path: "vat.groups", message: "Expected at least one group" }] : []),
    ...(limits.department > limits.departments
      ? [{ path: "limits.department", message: "Expected no more than limits.departments" }]
      : []),
  ];
}
