/** XML 1.0 as text. */

/** Values by name; an attribute without a value is left out. */
export type XmlAttributes = Readonly<Record<string, string | number | null | undefined>>;

/**
 * An element with what is in it.
 * @param content elements as text; nothing makes an empty element
 */
export function element(name: string, attributes: XmlAttributes, content = ""): string {
  const tag = openTag(name, attributes);
  return content === "" ? `${tag.slice(0, -1)}/>` : `${tag}${content}</${name}>`;
}

/** The beginning of an element whose content is written later. */
export function openTag(name: string, attributes: XmlAttributes): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [` ${key}="${escaped(String(value))}"`],
  );
  return `<${name}${written.join("")}>`;
}

const REPLACEMENT = "\u{fffd}";
/** What means something in an attribute, and what may not stand in it as it is, or not at all. */
const UNSAFE = /[&<>"\p{Cc}\p{Cs}\ufffe\uffff]/gu;
const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);
/** The only ones below U+0020 that XML 1.0 can hold. */
const WHITESPACE = /^[\t\n\r]$/;
/** Controls above it may stand in XML 1.0. */
const DELETE = 0x7f;

/**
 * A text inside of double quotes. White space but the blank is written as a reference, because
 * readers make blanks of it otherwise; what XML cannot hold becomes U+FFFD.
 */
export function escaped(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0);
    const isControl = code >= DELETE && code < 0xa0;
    if (isControl || WHITESPACE.test(character)) return `&#${code};`;
    return ENTITIES.get(character) ?? REPLACEMENT;
  });
}
