/** How the JavaScript engine of this process behaves: what it keeps in memory, and compiles. */

const MEBIBYTE = 1_048_576;
/** Of the program, when it is run from source: a test has another one. */
const ENTRY = `${import.meta.dir}/../main.ts`;

/**
 * Options of the engine, JavaScriptCore, that it takes from the environment alone. With its own
 * values it lets the heap grow to twice what lives there or more, and to 32 MB at the least, before
 * it collects; and its highest compiler takes more memory than it ever saves a gateway. What was
 * measured with both stands in docs/figures.md.
 * https://github.com/oven-sh/webkit/blob/main/Source/JavaScriptCore/runtime/OptionsList.h
 */
export const ENGINE_OPTIONS: Readonly<Record<string, string>> = {
  // As a machine of so many bytes: on one of 16 GB or more the factor would not count.
  BUN_JSC_forceRAMSize: String(512 * MEBIBYTE),
  BUN_JSC_smallHeapGrowthFactor: "1.5",
  // Despite its name the size at which it collects at the earliest.
  BUN_JSC_largeHeapSize: String(16 * MEBIBYTE),
  BUN_JSC_useFTLJIT: "0",
};

/** True in the executable, as opposed to a run from source. */
export function isCompiled(): boolean {
  // Its main module lies inside it.
  return Bun.main.startsWith("/$bunfs/");
}

/**
 * Keeps an executable small in memory by starting it anew in its place, with the same process id and
 * arguments: the engine reads its options before any code runs. An option that somebody has set is
 * left as it is. Does nothing when run from source.
 * @param environment that of this process
 */
export function keepSmall(environment: Readonly<Record<string, string | undefined>>): void {
  const isSet = Object.keys(ENGINE_OPTIONS).every((name) => environment[name] !== undefined);
  if (isSet || !isCompiled()) return;
  const args = [process.argv0, ...process.argv.slice(2)];
  try {
    process.execve?.(process.execPath, args, { ...ENGINE_OPTIONS, ...environment });
  } catch {
    // It works as it is, and takes more memory.
  }
}

/**
 * This program once more, for work that would hold this process up: with the engine's own values,
 * for what takes the processor for long.
 * @param environment that of this process
 */
export function otherProcess(environment: Readonly<Record<string, string | undefined>>): {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
} {
  const others = Object.entries(environment).filter(
    ([name, value]) => ENGINE_OPTIONS[name] !== value,
  );
  return {
    command: isCompiled() ? [process.execPath] : [process.execPath, ENTRY],
    environment: Object.fromEntries(others),
  };
}

/**
 * Lets the engine compile what runs often. The executable starts with that put off, as what runs at
 * the start runs once; a process that goes on calls this when it has started.
 */
export function endStart(): void {
  Bun.unsafe.setJITPolicy(1);
}
