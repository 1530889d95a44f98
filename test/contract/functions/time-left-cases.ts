import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { result } from '@drover/cloud-sandbox/test/contract/lambda/run.ts';
import type { LambdaWorld } from '@drover/cloud-sandbox/test/contract/lambda/world.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { bundleFunction } from '../../../scripts/build/bundle.ts';

/** What the entry of Drover's functions does with the time that Lambda gives them. */
export const timeLeftCases: Cases<LambdaWorld> = {
  'a function of Drover is aborted four seconds before its timeout, and still answers': async (world) => {
    const code =
      await bundled(`export const handler = onLambda(() => async (_, { signal, getRemainingTimeInMillis }) => {
      await new Promise((resume) => signal.addEventListener('abort', resume));
      return getRemainingTimeInMillis();
    });`);
    const left = await result(world, { code, timeoutSeconds: 5 });
    expect(left).toBeGreaterThan(3000);
    expect(left).toBeLessThanOrEqual(4000);
  },
};

/** A function made as those of Drover are, bundled as they are. */
async function bundled(source: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'drover-source-'));
  const entry = join(directory, 'index.ts');
  await writeFile(
    entry,
    `import { onLambda } from '${resolve('shared/runtime/lambda-entry.ts')}';\n${source}`,
  );
  const { code } = await bundleFunction(entry);
  await rm(directory, { recursive: true });
  return Buffer.from(code).toString();
}
