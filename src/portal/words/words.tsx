/**
 * The portal's words in the reader's language: `t("today.title")`. README.md beside this file says how
 * they are chosen.
 */

import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { useOrganization } from "../api/hooks.ts";
import { keep, kept } from "../parts/kept.ts";
import type en from "./en.json";
import { createFormat, type Format, type FormatOptions } from "./format.ts";
import { type Entries, type Fill, phrase } from "./phrase.ts";

/** The languages, each in its own words, with how it writes dates and numbers. */
export const LANGUAGES = {
  en: { name: "English", locale: "en-GB", load: () => import("./en.json") },
  ro: { name: "Română", locale: "ro-RO", load: () => import("./ro.json") },
  bg: { name: "Български", locale: "bg-BG", load: () => import("./bg.json") },
} as const;

/** Code of a language. */
export type Language = keyof typeof LANGUAGES;

/** A text of the portal: its key in `en.json`, without what tells singular from plural. */
export type Word = BaseOf<keyof typeof en>;

type BaseOf<Key extends string> = Key extends `${infer Base}#${string}` ? Base : Key;

/** Gives the text of a word, with what stands in braces in it filled in. */
export type Translate = (word: Word, fill?: Fill) => string;

interface Words {
  readonly language: Language;
  readonly t: Translate;
  /** Whether there is a text for what the API calls something. */
  readonly isWord: (name: string) => name is Word;
  readonly setLanguage: (language: Language) => void;
}

const KEPT_AS = "fiscald.language";
// On its way before anything is drawn; the provider takes it up.
void LANGUAGES[guessLanguage()].load();
const WordsContext = createContext<Words | undefined>(undefined);

/** The words, in the language that was chosen here before, or that the browser asks for. */
export function WordsProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(guessLanguage);
  const [loaded, setLoaded] = useState<{ language: Language; entries: Entries }>();

  useEffect(() => {
    let isWanted = true;
    void LANGUAGES[language].load().then(({ default: entries }) => {
      if (isWanted) setLoaded({ language, entries });
    });
    document.documentElement.lang = language;
    return () => {
      isWanted = false;
    };
  }, [language]);

  const words = useMemo<Words | undefined>(() => {
    if (loaded === undefined) return undefined;
    const { locale } = LANGUAGES[loaded.language];
    return {
      language: loaded.language,
      t: (word, fill) => phrase({ entries: loaded.entries, locale }, word, fill),
      isWord: (name): name is Word => Object.hasOwn(loaded.entries, name),
      setLanguage: (chosen) => {
        keep(KEPT_AS, chosen);
        setLanguage(chosen);
      },
    };
  }, [loaded]);

  return words === undefined ? null : <WordsContext value={words}>{children}</WordsContext>;
}

/** The words, for a component. @throws Error outside of the provider */
export function useWords(): Words {
  const words = use(WordsContext);
  if (words === undefined) throw new Error("there are no words here");
  return words;
}

/**
 * Dates, numbers and money, as the shop's clocks and currency are and as the reader writes them.
 * @param zone of other clocks than the shop's
 */
export function useFormat(zone?: string): Format {
  const { language } = useWords();
  const organization = useOrganization();
  const { timezone, currency } = organization ?? {};
  return formatOf({ locale: LANGUAGES[language].locale, timezone: zone ?? timezone, currency });
}

let lastFormat: { readonly options: FormatOptions; readonly format: Format } | undefined;

/** Every row of a list asks for it, and to make one takes longer than to draw a row. */
function formatOf(options: FormatOptions): Format {
  const before = lastFormat?.options;
  const isSame =
    before?.locale === options.locale &&
    before.timezone === options.timezone &&
    before.currency === options.currency;
  if (lastFormat !== undefined && isSame) return lastFormat.format;
  lastFormat = { options, format: createFormat(options) };
  return lastFormat.format;
}

function guessLanguage(): Language {
  const asked = [kept(KEPT_AS), ...navigator.languages.map((name) => name.slice(0, 2))];
  return asked.find(isLanguage) ?? "en";
}

function isLanguage(name: string | undefined): name is Language {
  return name !== undefined && Object.hasOwn(LANGUAGES, name);
}
