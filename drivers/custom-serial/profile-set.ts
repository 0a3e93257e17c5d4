/**
 * The profiles of a gateway: those built in, and those that its user has written. A faulty profile
 * disables itself and those that extend it, and nothing else.
 */

import { Value } from "@sinclair/typebox/value";
import type { ValidationIssue } from "#core/errors.ts";
import { schemaIssues } from "#core/schema-issues.ts";
import { compileProfile, type Profile } from "./compile-profile.ts";
import { BUILT_IN_PROFILES, DEFAULT_PROFILE_ID } from "./dialects/index.ts";
import { ProfileFile, WholeProfile } from "./profile.ts";

/** Where built-in profiles come from, in lists. */
const BUILT_IN = "built-in";
/** Profiles that extend one another: more than this is a mistake. */
const DEPTH_MAX = 8;

/** A profile as it came: parsed JSON, and where from. */
export interface ProfileSource {
  /** A file's name, or `built-in`. */
  readonly source: string;
  readonly value: unknown;
  /** Why there is no value: the file could not be read. */
  readonly fault?: string;
}

/** A profile of a set, or what is wrong with it. Paths are dotted from the file's root. */
export interface ProfileEntry {
  readonly id: string;
  readonly source: string;
  readonly title: string;
  readonly models: readonly string[];
  readonly profile: Profile | undefined;
  readonly faults: readonly ValidationIssue[];
}

type Whole = { readonly whole: WholeProfile };
type Faulty = { readonly faults: readonly ValidationIssue[] };

export class ProfileSet {
  readonly #files: readonly ProfileSource[];
  #entries: readonly ProfileEntry[] | undefined;

  private constructor(files: readonly ProfileSource[]) {
    this.#files = files;
  }

  /** The built-in profiles and, instead of or beside them, those of a user. */
  static of(files: readonly ProfileSource[] = []): ProfileSet {
    return new ProfileSet(files);
  }

  /**
   * All of them: the user's first, in the order of their files. They are compiled when they are
   * first asked for, which most gateways never do: it takes longer than the rest of their drivers.
   */
  get entries(): readonly ProfileEntry[] {
    this.#entries ??= new Assembly(this.#files.map((file) => readFile(file))).entries();
    return this.#entries;
  }

  /** A profile by its id; a faulty one is an entry without a profile. */
  find(id: string): ProfileEntry | undefined {
    return this.entries.find((entry) => entry.id === id);
  }

  /** What talks to a device of which nothing is known yet. */
  get initial(): ProfileEntry | undefined {
    return this.find(DEFAULT_PROFILE_ID);
  }

  /**
   * The profile for a device's own model name: one of the user's before ours, and of several the
   * one that names most of it. It may be a faulty one: no other shall quietly take its place.
   */
  forModel(model: string): ProfileEntry | undefined {
    const isOurs = ({ source }: ProfileEntry) => source === BUILT_IN;
    return (
      longestMatch(
        this.entries.filter((entry) => !isOurs(entry)),
        model,
      ) ?? longestMatch(this.entries.filter(isOurs), model)
    );
  }
}

function longestMatch(entries: readonly ProfileEntry[], model: string): ProfileEntry | undefined {
  const name = squeeze(model);
  let best: { readonly entry: ProfileEntry; readonly length: number } | undefined;
  for (const entry of entries) {
    for (const known of entry.models.map(squeeze)) {
      if (known === "" || !name.startsWith(known) || known.length <= (best?.length ?? 0)) continue;
      best = { entry, length: known.length };
    }
  }
  return best?.entry;
}

/** Model names are compared without regard to case, blanks and dashes. */
function squeeze(name: string): string {
  return name.toUpperCase().replace(/[\s_-]+/g, "");
}

interface CheckedFile {
  readonly id: string;
  readonly source: string;
  /** As the file names them, even if something else in it is wrong. */
  readonly models: readonly string[];
  readonly file: ProfileFile | undefined;
  readonly faults: readonly ValidationIssue[];
}

function readFile({ source, value, fault }: ProfileSource): CheckedFile {
  // A faulty file is still known by its id and its models, so that its devices hear what is wrong.
  const fields = typeof value === "object" && value !== null ? value : {};
  const id = "id" in fields && typeof fields.id === "string" ? fields.id : source;
  const list: readonly unknown[] =
    "models" in fields && Array.isArray(fields.models) ? fields.models : [];
  const models = list.filter((model): model is string => typeof model === "string");
  if (fault !== undefined) {
    return { id, source, models, file: undefined, faults: [{ path: "", message: fault }] };
  }
  if (Value.Check(ProfileFile, value)) return { id, source, models, file: value, faults: [] };
  const faults = schemaIssues(Value.Errors(ProfileFile, value));
  return { id, source, models, file: undefined, faults };
}

/** Puts profiles together from what they extend. */
class Assembly {
  readonly #files: readonly CheckedFile[];
  readonly #builtIn = BUILT_IN_PROFILES.map((value) => readFile({ source: BUILT_IN, value }));

  constructor(files: readonly CheckedFile[]) {
    this.#files = files;
  }

  entries(): ProfileEntry[] {
    const own = this.#files.map((file) => this.#entryOf(file));
    const builtIn = this.#builtIn.filter(({ id }) => !own.some((entry) => entry.id === id));
    return [...own, ...builtIn.map((file) => this.#entryOf(file))];
  }

  #entryOf(checked: CheckedFile): ProfileEntry {
    const { id, source } = checked;
    const result = this.#isTwice(checked)
      ? { faults: [{ path: "id", message: `Another file has the id ${id}` }] }
      : this.#wholeOf(checked, 1);
    if ("faults" in result) {
      const { models } = checked;
      return { id, source, title: "", models, profile: undefined, faults: result.faults };
    }
    const { title, models } = result.whole;
    const compiled = compileProfile(result.whole);
    const faults = "faults" in compiled ? compiled.faults : [];
    const profile = "profile" in compiled ? compiled.profile : undefined;
    return { id, source, title, models, profile, faults };
  }

  #isTwice(checked: CheckedFile): boolean {
    const first = this.#files.find(({ id }) => id === checked.id);
    return first !== undefined && first !== checked && this.#files.includes(checked);
  }

  #wholeOf({ file, faults }: CheckedFile, depth: number): Whole | Faulty {
    if (!file) return { faults };
    const merged = this.#inherit(file, depth);
    if ("faults" in merged) return merged;
    const { $schema, extends: parent, ...value } = merged.value;
    if (Value.Check(WholeProfile, value)) return { whole: value };
    return { faults: schemaIssues(Value.Errors(WholeProfile, value)) };
  }

  #inherit(
    file: ProfileFile,
    depth: number,
  ): { readonly value: Readonly<Record<string, unknown>> } | Faulty {
    const parent = file.extends;
    if (parent === undefined) return { value: file };
    if (depth > DEPTH_MAX) {
      return { faults: [{ path: "extends", message: "The profiles extend each other in a ring" }] };
    }
    const found = this.#parentOf(file.id, parent);
    if (!found) return { faults: [{ path: "extends", message: `There is no profile ${parent}` }] };
    const base = this.#wholeOf(found, depth + 1);
    if ("faults" in base) {
      const [first] = base.faults;
      const reason = first?.path === "extends" ? first.message : `The profile ${parent} is faulty`;
      return { faults: [{ path: "extends", message: reason }] };
    }
    // A model name leads to one profile, so it is inherited only by what takes that one's place.
    const models = parent === file.id ? base.whole.models : [];
    return { value: merge({ ...base.whole, models }, file) };
  }

  /** A profile that takes the place of a built-in one may extend that one. */
  #parentOf(id: string, parent: string): CheckedFile | undefined {
    const own = parent === id ? undefined : this.#files.find((file) => file.id === parent);
    return own ?? this.#builtIn.find((file) => file.id === parent);
  }
}

type Json = Readonly<Record<string, unknown>>;

/** Objects are merged, all else is replaced. */
function merge(base: Json, over: Json): Json {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const present = base[name];
    merged[name] = isJson(present) && isJson(value) ? merge(present, value) : value;
  }
  return merged;
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
