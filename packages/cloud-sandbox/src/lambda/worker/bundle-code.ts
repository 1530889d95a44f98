import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { FunctionWiring } from '../../cloud/wiring.ts';
import { parseHandlerName } from '../handler-name.ts';
import { runtimeError } from '../reported-error.ts';

/** A packaged function's code, from the zip that would be deployed. */
export interface BundleCode {
  readonly code: string;
  readonly fileName: string;
  /** As it is configured: `index.handler`. */
  readonly handler: string;
  /** Where the function is in what the bundle exports. */
  readonly exportPath: readonly string[];
}

/** @throws Error that says to package first, where the zip is missing; as Node's runtime does for a name of no file in it. */
export async function readBundle({ artifact, handler, name }: FunctionWiring): Promise<BundleCode> {
  const { folder, module, exportPath } = parseHandlerName(handler);
  const fileName = `${folder}${module}.cjs`;
  const zip = await readFile(artifact).catch((cause: unknown) => {
    throw new Error(`${artifact} cannot be read: run \`npm run package\` first`, { cause });
  });
  const { [fileName]: content, ...others } = unzipSync(zip);
  if (!content) throw runtimeError('Runtime.ImportModuleError', `Error: Cannot find module '${module}'`);
  const code = `${besides(others, folder)}${textOf(content)}`;
  return { code, fileName: `${name}/${fileName}`, handler, exportPath };
}

const textOf = (content: Uint8Array): string => Buffer.from(content).toString('utf8');

/** The zip is never unpacked: what the code may require of the files beside it is handed over in front of it, on its first line. */
function besides(files: Readonly<Record<string, Uint8Array>>, folder: string): string {
  const sources = Object.entries(files)
    .filter(([name]) => name.startsWith(folder))
    .map(([name, content]) => [`./${name.slice(folder.length)}`, textOf(content)]);
  if (sources.length === 0) return '';
  // The bundle's own directive does not count any more behind a statement.
  return `'use strict'; require = (${requireBesides})(require, ${JSON.stringify(Object.fromEntries(sources))}); `;
}

const requireBesides = [
  '(outer, sources) => (id) => {',
  'if (!(id in sources)) return outer(id);',
  'const module = { exports: {} };',
  "new Function('exports', 'require', 'module', sources[id])(module.exports, outer, module);",
  'return module.exports;',
  '}',
].join(' ');
