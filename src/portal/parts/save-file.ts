/** A file for the reader to keep. */

/** A link cannot say who asks, so the file is fetched first and saved then. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to save by the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
