/**
 * Draws bar codes and QR codes with bwip-js. Only `codes.ts` loads this file, when the first code
 * is drawn: the library is large, and most processes never draw one.
 */

import {
  code128,
  type DrawingContext,
  ean8,
  ean13,
  interleaved2of5,
  qrcode,
  type RenderOptions,
} from "bwip-js/generic";
import { pictureOf } from "./dots.ts";
import type { Picture, Symbology } from "./line.ts";

const BARS_HIGH_MODULES = 24;
/** How many units of the library's drawing area a module takes: even, so that halves are whole. */
const UNITS = 2;

/** A bar code's text, and what else its encoder is told. */
interface CodeOptions {
  readonly text: string;
  /** Error correction level of a QR code; the two are options of its encoder, BWIPP. */
  readonly eclevel?: "M";
  /** Keeps the level where a higher one would fit as well. */
  readonly fixedeclevel?: true;
}

interface CodeKind {
  readonly encode: (options: RenderOptions, drawing: DrawingContext<Picture>) => Picture;
  readonly options: (text: string) => CodeOptions;
}

/** The library works the check digit of an EAN out by itself, and refuses a wrong one. */
const eanOptions = (text: string) => ({ text: text.slice(0, -1) });

const KINDS: Readonly<Record<Symbology, CodeKind>> = {
  ean8: { encode: ean8, options: eanOptions },
  ean13: { encode: ean13, options: eanOptions },
  code128: { encode: code128, options: (text) => ({ text }) },
  interleaved: { encode: interleaved2of5, options: (text) => ({ text }) },
  qr: { encode: qrcode, options: (text) => ({ text, eclevel: "M", fixedeclevel: true }) },
};

/**
 * A code without a quiet zone around it, a dot for each module.
 * @throws Error of the library when the symbology cannot hold the text
 */
export function drawCode(symbology: Symbology, text: string): Picture {
  const { encode, options } = KINDS[symbology];
  // The type wants the name of an encoder, which none of them reads.
  return encode({ bcid: "", ...options(text) }, new ModuleDrawing());
}

type Line = Parameters<DrawingContext<Picture>["line"]>;
type Point = readonly [x: number, y: number];

/**
 * What the library draws on. Bars come as upright lines, the dark areas of a QR code as polygons
 * with right angles; both are kept as the edges at which light turns dark, or dark light.
 */
class ModuleDrawing implements DrawingContext<Picture> {
  #width = 0;
  #height = 0;
  #isBars = false;
  /** Edges by row and column of modules: what is right of an odd number of them is dark. */
  readonly #edges = new Set<string>();

  scale(): [number, number] {
    return [UNITS, UNITS];
  }

  init(width: number, height: number): void {
    this.#width = width / UNITS;
    this.#height = height / UNITS;
  }

  line(...[x, , , , width]: Line): void {
    this.#isBars = true;
    this.#edge(0, x - width / 2);
    this.#edge(0, x + width / 2);
  }

  polygon(points: readonly Point[]): void {
    for (const [index, [x, from]] of points.entries()) {
      const [nextX, to] = points[(index + 1) % points.length] ?? [x, from];
      if (nextX !== x) continue;
      for (let y = Math.min(from, to); y < Math.max(from, to); y += UNITS) {
        this.#edge(y / UNITS, x);
      }
    }
  }

  end(): Picture {
    const rows = Array.from({ length: this.#isBars ? 1 : this.#height }, (_, y) => this.#row(y));
    const height = this.#isBars ? BARS_HIGH_MODULES : this.#height;
    return pictureOf(this.#width, height, (x, y) => rows[this.#isBars ? 0 : y]?.[x] ?? false);
  }

  // Nothing else is drawn of the codes above, and the one colour is black.
  fill(): void {}
  hexagon(): void {}
  ellipse(): void {}
  text(): void {}
  measure(): { width: number; ascent: number; descent: number } {
    return { width: 0, ascent: 0, descent: 0 };
  }

  #edge(y: number, unitsX: number): void {
    const edge = `${y} ${unitsX / UNITS}`;
    // Where two areas touch, nothing changes.
    if (!this.#edges.delete(edge)) this.#edges.add(edge);
  }

  #row(y: number): boolean[] {
    let isDark = false;
    return Array.from({ length: this.#width }, (_, x) => {
      if (this.#edges.has(`${y} ${x}`)) isDark = !isDark;
      return isDark;
    });
  }
}
