import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { FunctionWiring } from '../../deployment/wiring.ts';

/** A packaged function's code, from the zip that would be deployed. */
export interface BundleCode {
  readonly code: string;
  readonly fileName: string;
  readonly exportName: string;
}

/** @throws Error that says to package first, where the zip is missing or has no such file. */
export async function readBundle({ artifact, handler, name }: FunctionWiring): Promise<BundleCode> {
  const [module = '', exportName = ''] = handler.split('.');
  const fileName = `${module}.cjs`;
  const zip = await readFile(artifact).catch((cause: unknown) => {
    throw new Error(`${artifact} cannot be read: run \`npm run package\` first`, { cause });
  });
  const { [fileName]: content, ...others } = unzipSync(zip);
  if (!content) throw new Error(`${artifact} has no ${fileName}: run \`npm run package\` again`);
  return { code: `${besides(others)}${textOf(content)}`, fileName: `${name}/${fileName}`, exportName };
}

const textOf = (content: Uint8Array): string => Buffer.from(content).toString('utf8');

/** The zip is never unpacked: what the code may require of the files beside it is handed over in front of it, on its first line. */
function besides(files: Readonly<Record<string, Uint8Array>>): string {
  const sources = Object.entries(files).map(([name, content]) => [`./${name}`, textOf(content)]);
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
