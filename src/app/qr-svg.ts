/** QR codes as SVG, for pages and for whoever prints them. */

/** What a camera needs around a code, in modules. */
const QUIET = 4;

/** Draws a text; the library that does it is loaded with the first one. */
export async function qrSvg(text: string): Promise<string> {
  const { drawCode } = await import("#drivers/simulator/paper/draw-code.ts");
  const { width, height, rows } = drawCode("qr", text);
  const isDark = (x: number, y: number): boolean =>
    (((rows[y]?.[x >> 3] ?? 0) >> (7 - (x & 7))) & 1) === 1;
  let path = "";
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = x;
      while (x < width && isDark(x, y)) x += 1;
      if (x > from) path += `M${from + QUIET} ${y + QUIET}h${x - from}v1h-${x - from}z`;
    }
  }
  const size = `${width + 2 * QUIET} ${height + 2 * QUIET}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${width + 2 * QUIET}v${height + 2 * QUIET}H0z"/>` +
    `<path d="${path}"/></svg>`
  );
}
