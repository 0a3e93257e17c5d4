/** Words that are the same one in another form, by the endings of the portal's languages. */

/** Without case and accents, and with the hyphen that one types: who looks for "casa" means "Casă" too. */
export function plain(text: string): string {
  return text
    .replaceAll("\u2011", "-")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .trim();
}

/** The shortest that is left of a word without its ending. */
const STEM_MIN = 3;

/** Endings of nouns, adjectives and verbs, without accents. */
const ENDINGS: readonly string[] = [
  // English
  ...["s", "es", "ed", "er", "ers", "ing", "ings", "y", "ies", "e"],
  // Romanian
  ...["a", "i", "ii", "iei", "ile", "ilor", "ul", "ului", "le", "lor", "ele", "elor", "u", "ea"],
  ...["uri", "urile", "urilor", "are", "ari", "arii", "arile", "at", "ata", "ate", "ati"],
  // Bulgarian
  ...["а", "я", "и", "о", "е", "ът", "ят", "та", "то", "те", "ата", "ята", "ите", "ове", "овете"],
  ...["не", "ния", "нето", "нията"],
];

/** What may be left of a word without an ending, and without the vowels that Romanian changes. */
function stemsOf(word: string): Set<string> {
  const roots = ["", ...ENDINGS]
    .filter((ending) => word.endsWith(ending) && word.length - ending.length >= STEM_MIN)
    .map((ending) => word.slice(0, word.length - ending.length));
  // raport, rapoarte; seara, seri
  return new Set(roots.map((root) => root.replaceAll("oa", "o").replaceAll("ea", "e")));
}

/** True when one word may be a form of the other, both without case and accents. */
export function isForm(word: string, other: string): boolean {
  return !stemsOf(word).isDisjointFrom(stemsOf(other));
}
