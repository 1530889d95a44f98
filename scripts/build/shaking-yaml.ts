import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Takes `yaml` in its edition of ES modules, which it offers to browsers only: of the one for Node, CommonJS, nothing shakes,
 * and a function reads YAML but does not write it.
 */
export const shakingYamlPlugin: Plugin = {
  name: 'shaking-yaml',
  setup(build) {
    build.onResolve({ filter: /^yaml$/ }, async ({ importer, resolveDir, kind }) => {
      const manifest = await build.resolve('yaml/package.json', { kind, importer, resolveDir });
      return {
        path: join(dirname(manifest.path), 'browser', 'dist', 'index.js'),
        errors: manifest.errors,
        sideEffects: false,
      };
    });
  },
};
