import type { Metafile } from 'esbuild';

/**
 * The folders in node_modules of the packages that a bundle holds code of, in order: esbuild reports the bytes that remain of each input.
 * Pure.
 */
export function packageFoldersIn(outputs: Metafile['outputs']): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? packageFolderOf(path) : [],
  );
  return [...new Set(folders)].toSorted();
}

/** The innermost package: npm nests one that is needed in a second version. The clients of the SDK are shaken under their own names. */
const packageFolderOf = (path: string): readonly string[] =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replace(/^shaken-clients:/, 'node_modules/')) ?? [];
