import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Bundles of the package.json that each client of the AWS SDK imports nothing but the version, which is all that the client reads for
 * its user agent. The whole file has two kilobytes.
 */
export const packageVersionsPlugin: Plugin = {
  name: 'package-versions',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk[\\/][\w-]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { readonly version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
