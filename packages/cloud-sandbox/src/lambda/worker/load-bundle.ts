import { createRequire } from 'node:module';
import { constants, runInThisContext } from 'node:vm';
import type { BundleCode } from './bundle-code.ts';

type BundleWrapper = (
  exports: object,
  require: NodeJS.Require,
  module: { readonly exports: Record<string, unknown> },
) => void;

/** Runs a packaged bundle in this thread, once for each call, and returns its exports. Throws what the module throws. */
export function loadBundle({
  code,
  fileName,
}: Pick<BundleCode, 'code' | 'fileName'>): Readonly<Record<string, unknown>> {
  const module = { exports: {} as Record<string, unknown> };
  const wrapper = runInThisContext(`(function (exports, require, module) {${code}\n})`, {
    filename: fileName,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as BundleWrapper;
  wrapper(module.exports, createRequire(import.meta.url), module);
  return module.exports;
}
