/**
 * Layouts: how the fields of a device command stand in its data, written almost as the manuals
 * write them, so that a dialect can be read beside its manual and stays data.
 *
 * `{name}` is a value; `[...]` is left out when any value in it is empty; the rest is literal.
 * `{operator},{password},{till}[,I{invoice}]` is such a layout.
 */

/** Values of the fields, as text. A field that is not used is empty. */
export type LayoutValues = Readonly<Record<string, string>>;

/** A piece of a layout. */
export type LayoutPart =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "value"; readonly name: string }
  | { readonly kind: "group"; readonly parts: readonly LayoutPart[] };

/** Layouts come from dialects only, so their number is fixed. */
const parsed = new Map<string, readonly LayoutPart[]>();

/**
 * Fills a layout.
 * @throws RangeError when a value is missing, or the layout is malformed: a defect in a dialect
 */
export function fillLayout(layout: string, values: LayoutValues): string {
  let parts = parsed.get(layout);
  if (!parts) {
    parts = parseLayout(layout);
    parsed.set(layout, parts);
  }
  return fillParts(parts, values);
}

/** The names of the values a layout wants, in order. @throws RangeError when it is malformed */
export function layoutNames(layout: string): string[] {
  const names = (parts: readonly LayoutPart[]): string[] =>
    parts.flatMap((part) => {
      if (part.kind === "literal") return [];
      return part.kind === "value" ? [part.name] : names(part.parts);
    });
  return names(parseLayout(layout));
}

function fillParts(parts: readonly LayoutPart[], values: LayoutValues): string {
  let text = "";
  for (const part of parts) {
    if (part.kind === "literal") text += part.text;
    else if (part.kind === "value") text += textOf(part.name, values);
    else if (isComplete(part.parts, values)) text += fillParts(part.parts, values);
  }
  return text;
}

function isComplete(parts: readonly LayoutPart[], values: LayoutValues): boolean {
  return parts.every((part) => part.kind !== "value" || textOf(part.name, values) !== "");
}

function textOf(name: string, values: LayoutValues): string {
  const value = values[name];
  if (value === undefined) throw new RangeError(`the layout wants a value for ${name}`);
  return value;
}

/** The pieces of a layout, in order. @throws RangeError when it is malformed */
export function parseLayout(layout: string): readonly LayoutPart[] {
  const parts: LayoutPart[] = [];
  for (const token of layout.match(/\[[^\]]*\]|\{[^}]*\}|[^[{]+/g) ?? []) {
    if (token.startsWith("["))
      parts.push({ kind: "group", parts: parseLayout(token.slice(1, -1)) });
    else if (token.startsWith("{")) parts.push({ kind: "value", name: token.slice(1, -1) });
    else parts.push({ kind: "literal", text: token });
  }
  const length = parts.reduce((sum, part) => sum + sourceLength(part), 0);
  if (length !== layout.length) throw new RangeError(`malformed layout ${layout}`);
  return parts;
}

function sourceLength(part: LayoutPart): number {
  if (part.kind === "literal") return part.text.length;
  if (part.kind === "value") return part.name.length + 2;
  return part.parts.reduce((sum, inner) => sum + sourceLength(inner), 2);
}
