/** A strict look at XML: whether it is well-formed, and which elements it holds. */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The text right within it, references resolved. */
  text: string;
}

const TAG = /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const REFERENCES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};

/**
 * The elements of a document in their order.
 * @throws Error where it is not well-formed, as far as what is written here can be wrong: tags that
 * do not match, attributes without quotes, bare `<` and `&`, and characters that XML does not know
 */
export function parseXml(document: string): XmlElement[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML forbids.
  const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.exec(document);
  if (forbidden || !document.isWellFormed()) throw new Error("a character that XML does not know");
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  for (let at = 0; at < document.length; ) {
    const next = document.indexOf("<", at);
    const text = document.slice(at, next < 0 ? undefined : next);
    const inner = open.at(-1);
    if (inner) inner.text += resolved(text);
    else if (text.trim() !== "") throw new Error(`text outside: ${text}`);
    if (next < 0) break;
    TAG.lastIndex = next;
    const tag = TAG.exec(document);
    if (!tag) throw new Error(`no tag: ${document.slice(next, next + 80)}`);
    const [whole, closes, name = "", attributes = "", isEmpty] = tag;
    at = next + whole.length;
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
      continue;
    }
    if (open.length === 0 && elements.length > 0) throw new Error("two roots");
    const element = { name, attributes: attributesOf(attributes), text: "" };
    elements.push(element);
    if (!isEmpty) open.push(element);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)?.name}> is not closed`);
  return elements;
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", value = ""] of text.matchAll(ATTRIBUTE)) {
    if (Object.hasOwn(attributes, name)) throw new Error(`${name} is there twice`);
    attributes[name] = resolved(value);
  }
  return attributes;
}

function resolved(text: string): string {
  return text.replace(/&([^;&]*;?)/g, (reference, name: string) => {
    const character = name.endsWith(";") ? REFERENCES[name.slice(0, -1)] : undefined;
    if (character === undefined) throw new Error(`no reference: ${reference}`);
    return character;
  });
}
