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
  const content = unzipSync(zip)[fileName];
  if (!content) throw new Error(`${artifact} has no ${fileName}: run \`npm run package\` again`);
  return { code: Buffer.from(content).toString('utf8'), fileName: `${name}/${fileName}`, exportName };
}
