import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const ofSourcesOnly: ReadonlySet<string> = new Set(['scripts', 'devDependencies']);

/**
 * The manifest of the built package: that of the sources, with `exports` that lead to JavaScript. Only the simulation is published,
 * not the tools and tests that the workspace shares. It is private, so that npm refuses to publish it, until `config.npmScope` of the
 * project names a scope that the owner has.
 */
export function manifestOf(root: string): Manifest {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const kept = Object.entries(manifest).filter(([field]) => !ofSourcesOnly.has(field));
  const exports = Object.entries(manifest.exports)
    .filter(([, source]) => source.startsWith('./src/'))
    .map(([name, source]) => [name, built(source)]);
  return { ...Object.fromEntries(kept), ...scoped(root), exports: Object.fromEntries(exports) };
}

function scoped(root: string): Readonly<Record<string, unknown>> {
  const { config } = JSON.parse(readFileSync(join(root, '../../package.json'), 'utf8')) as {
    readonly config: { readonly npmScope: string };
  };
  return config.npmScope ? { name: `${config.npmScope}/cloud-sandbox`, private: false } : {};
}

/** `./src/wire/index.ts` is built to `./wire/index.js`. */
const built = (source: string): string => source.replace('./src/', './').replace(/\.ts$/, '.js');
