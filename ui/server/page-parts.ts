import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** The files of the page, by their names. */
export interface PageParts {
  readonly 'index.html': Uint8Array;
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
  'logo.svg': readFileSync(join(folder, 'logo.svg')),
  'main.js': bundle(join(folder, 'main.tsx')),
  'style.css': bundle(join(folder, 'style/style.css')),
});

function bundle(entry: string): Uint8Array {
  const { outputFiles } = buildSync({
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
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`esbuild made no file of ${entry}`);
  return file.contents;
}
