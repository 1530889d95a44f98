import { createHook } from 'node:async_hooks';
import { vi } from 'vitest';

/** How many reads of files this starts. The paths of the AWS files are new, because the SDK keeps what it has read. */
export async function countFileReads(run: () => Promise<unknown>): Promise<number> {
  const types: string[] = [];
  const hook = createHook({ init: (_, type) => void types.push(type) });
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'])
    vi.stubEnv(name, `/nowhere/${crypto.randomUUID()}`);
  hook.enable();
  try {
    await run();
  } finally {
    hook.disable();
    vi.unstubAllEnvs();
  }
  return types.filter((type) => type.startsWith('FSREQ')).length;
}
