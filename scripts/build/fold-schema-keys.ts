import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const constant = /^const (_\w+) = ("(?:[^"\\]|\\.)*");$/gm;
const computedKey = /(?<=[{,]\s*)\[(_\w+)\]:/g;

/**
 * Writes the computed keys of an AWS SDK schema file (`{ [_xN]: ... }`) as the literals that they stand for. A bundler keeps each object with a
 * computed key, because evaluating the key may have side effects. With literals, the schemas of operations that are not called shake off.
 * A key that is not a string constant of the same file stays.
 */
export function foldSchemaKeys(source: string): string {
  const constants = new Map(Array.from(source.matchAll(constant), ([, name, value]) => [name, value]));
  return source.replaceAll(computedKey, (whole, name: string) => {
    const value = constants.get(name);
    return value === undefined ? whole : `${value}:`;
  });
}

/** Folds the keys of each schema file of the SDK. EC2's client shrinks from 560 KB to 30 KB. */
export const foldSchemaKeysPlugin: Plugin = {
  name: 'fold-schema-keys',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk[\\/].*[\\/]dist-es[\\/].*schemas_\d+\.js$/ }, async ({ path }) => ({
      contents: foldSchemaKeys(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};
