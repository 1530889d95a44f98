import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '@drover/cloud-sandbox/real/installed.ts';
import { runClient } from '@drover/cloud-sandbox/real/run-client.ts';
import { expect, test } from 'vitest';
import { startSandbox } from '../../local/wire/support/started-sandbox.ts';
import { startSigningProxy } from '../../support/signing-proxy.ts';

const program = join(cache, 'ci-schemathesis', 'bin', 'st');
const needs = existsSync(program) ? '' : ', which .ci/run installs';

/** SCHEMATHESIS_EXAMPLES=500 sends some ten thousand requests. */
const examples = process.env.SCHEMATHESIS_EXAMPLES ?? '25';
const seed = '18';

const options = [
  '--config-file=test/contract/scale-api/schemathesis.toml',
  'run',
  'docs/openapi.json',
  `--max-examples=${examples}`,
  `--seed=${seed}`,
  '--no-color',
];

const claim = {
  area: 'Scale API',
  behaviour: 'the scale API answers as docs/openapi.json says, and never with 5xx',
  world: 'schemathesis 4.32.5',
};

test.skipIf(needs !== '')(
  `${claim.behaviour}, by ${claim.world}${needs}`,
  { meta: { claim }, timeout: 1_200_000 },
  async () => {
    const sandbox = await startSandbox('--no-story');
    const { ready } = sandbox;
    await expect.poll(() => sandbox.events.find(({ event }) => event === 'scale-api')).toBeDefined();
    const { url } = sandbox.events.find(({ event }) => event === 'scale-api') ?? {};
    const proxy = await startSigningProxy({
      target: String(url),
      region: ready.region,
      credentials: { accessKeyId: ready.accessKeyId, secretAccessKey: ready.secretAccessKey },
    });
    try {
      const { code, stdout } = await runClient({
        command: program,
        options: [...options, `--url=${proxy.url}`],
        environment: { HOME: cache, HYPOTHESIS_STORAGE_DIRECTORY: join(cache, 'hypothesis') },
        timeoutSeconds: 1100,
      });
      expect(code, stdout).toBe(0);
      expect(proxy.sentCount()).toBeGreaterThan(500);
    } finally {
      proxy.close();
      sandbox.process.kill('SIGINT');
    }
  },
);
