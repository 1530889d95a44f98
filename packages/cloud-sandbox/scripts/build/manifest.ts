import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** The sources run without a build, which needs Node 24. npm publishes only what is built. */
const ofSourcesOnly: ReadonlySet<string> = new Set(['private', 'engines', 'scripts', 'devDependencies']);

/** The oldest with `import.meta.dirname`. tsconfig.build.json compiles with the library of Node 20. */
const engines = { node: '>=20.11' };

/**
 * The manifest of the built package: that of the sources, with `exports` that lead to JavaScript. Only the simulation is published,
 * not the tools and tests that the workspace shares. Its scope is that of `config.npmScope` of the project, if the owner has one.
 */
export function manifestOf(root: string): Manifest {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const kept = Object.entries(manifest).filter(([field]) => !ofSourcesOnly.has(field));
  const exports = Object.entries(manifest.exports)
    .filter(([, source]) => source.startsWith('./src/'))
    .map(([name, source]) => [name, built(source)]);
  return { ...Object.fromEntries(kept), ...scoped(root), engines, exports: Object.fromEntries(exports) };
}

function scoped(root: string): Readonly<Record<string, unknown>> {
  const { config } = JSON.parse(readFileSync(join(root, '../../package.json'), 'utf8')) as {
    readonly config: { readonly npmScope: string };
  };
  return config.npmScope ? { name: `${config.npmScope}/cloud-sandbox` } : {};
}

/** `./src/wire/index.ts` is built to `./wire/index.js`. */
const built = (source: string): string => source.replace('./src/', './').replace(/\.ts$/, '.js');
