import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { inlineSchemaKeys } from './inline-schema-keys.ts';
import { dropErrorRegistrations } from './shaking-errors.ts';

/** Lets the AWS SDK's schemas of operations and errors that nobody uses fall away. */
export const shakingSchemasPlugin: Plugin = {
  name: 'shaking-schemas',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk[\\/].*[\\/]dist-es[\\/].*schemas_\d+\.js$/ }, async ({ path }) => ({
      contents: inlineSchemaKeys(dropErrorRegistrations(await readFile(path, 'utf8'))),
      loader: 'js',
    }));
  },
};
