import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const ofSourcesOnly: ReadonlySet<string> = new Set(['private', 'scripts', 'devDependencies']);

/**
 * The manifest of the built package: that of the sources, with `exports` that lead to JavaScript. Only the simulation is published,
 * not the tools and tests that the workspace shares.
 */
export function manifestOf(root: string): Manifest {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const kept = Object.entries(manifest).filter(([field]) => !ofSourcesOnly.has(field));
  const exports = Object.entries(manifest.exports)
    .filter(([, source]) => source.startsWith('./src/'))
    .map(([name, source]) => [name, built(source)]);
  return { ...Object.fromEntries(kept), exports: Object.fromEntries(exports) };
}

/** `./src/wire/index.ts` is built to `./wire/index.js`. */
const built = (source: string): string => source.replace('./src/', './').replace(/\.ts$/, '.js');
