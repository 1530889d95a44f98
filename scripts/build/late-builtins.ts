import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const namespace = 'late-builtins';

/** The names that `source` imports one by one from a module; undefined if it imports the module as a whole, or not at all. */
export function importedNames(source: string, module: string): readonly string[] | undefined {
  const pattern = new RegExp(`^import (?:\\{([^}]*)\\}|.*?) from ["']${module}["'];?$`, 'gm');
  const clauses = [...source.matchAll(pattern)].map(([, names]) => names);
  if (clauses.length === 0 || clauses.includes(undefined)) return undefined;
  const names = clauses.flatMap((clause = '') => clause.split(',').map((name) => name.trim().split(' ')[0]));
  return names.filter((name) => name !== undefined && name !== '') as readonly string[];
}

/** A CommonJS module that loads the builtin when one of these names of it is first used. */
export const lateModule = (module: string, names: readonly string[]): string =>
  `module.exports = {\n${names.map((name) => `get ${name}() { return require('${module}').${name}; },\n`).join('')}};`;

/**
 * Loads the builtins of Node that packages import when they are used, not when the function starts: node:fs/promises, node:os and the
 * like are for settings that Drover gives to the SDK by itself.
 */
export const lateBuiltinsPlugin: Plugin = {
  name: 'late-builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, async ({ path, importer, kind }) => {
      if (kind !== 'import-statement' || !/[\\/]node_modules[\\/]/.test(importer)) return undefined;
      const names = importedNames(await readFile(importer, 'utf8'), path);
      return names && { path, namespace, suffix: `?${names.join()}`, sideEffects: false, pluginData: names };
    });
    build.onLoad({ filter: /.*/, namespace }, ({ path, pluginData }) => ({
      contents: lateModule(path, pluginData as readonly string[]),
      loader: 'js',
    }));
  },
};
