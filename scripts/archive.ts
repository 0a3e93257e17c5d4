/** Packing folders so that the same input gives the same archive. */

/** What is packed: a folder by its name, and where it lies. */
export interface Packed {
  readonly folder: string;
  readonly name: string;
}

/**
 * Writes a compressed archive with fixed order, owners and times.
 * @returns its path
 * @throws Error when tar fails
 */
export async function packArchive(archive: string, { folder, name }: Packed): Promise<string> {
  const epoch = process.env.SOURCE_DATE_EPOCH ?? "0";
  const owners = ["--owner=0", "--group=0", "--numeric-owner"];
  const modes = ["--mode=u=rwX,go=rX"];
  const args = ["--sort=name", `--mtime=@${epoch}`, ...owners, ...modes];
  const compress = "--use-compress-program=gzip -6n";
  const tar = Bun.spawn(["tar", ...args, compress, "-C", folder, "-cf", archive, name], {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const code = await tar.exited;
  if (code !== 0) throw new Error(`tar ended with ${code}`);
  return archive;
}
