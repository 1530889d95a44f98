import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

/** The files of the page, by their names. */
export interface PageParts {
  readonly 'index.html': Uint8Array;
  readonly 'clusters.html': Uint8Array;
  readonly 'logo.svg': Uint8Array;
  readonly 'main.js': Uint8Array;
  readonly 'style.css': Uint8Array;
}

const folder = join(import.meta.dirname, '..');

/**
 * Bundles the scripts and styles of the page, in some 50 ms, so that nothing has to be built before. The packed CLI has another function
 * in the place of this one: it reads the files that were built with it (scripts/build/cli.ts).
 */
export const pageParts = (): PageParts => ({
  'index.html': readFileSync(join(folder, 'index.html')),
  'clusters.html': readFileSync(join(folder, 'clusters.html')),
  'logo.svg': readFileSync(join(folder, 'logo.svg')),
  'main.js': bundle(join(folder, 'main.tsx')),
  'style.css': bundle(join(folder, 'style/style.css')),
});

/** What esbuild reports about the script of the page, for the list of the packages that are in it. The style has only files of ours. */
export const pageOutputs = (): Metafile['outputs'] =>
  buildSync({ ...optionsFor(join(folder, 'main.tsx')), metafile: true }).metafile.outputs;

const optionsFor = (entry: string) =>
  ({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: ['es2023'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  }) satisfies BuildOptions;

function bundle(entry: string): Uint8Array {
  const [file] = buildSync(optionsFor(entry)).outputFiles;
  if (!file) throw new Error(`esbuild made no file of ${entry}`);
  return file.contents;
}
