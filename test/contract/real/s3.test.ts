import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { sendHttp } from '../../../shared/kubernetes/send-http.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { type S3World, s3Cases } from '../s3-cases.ts';
import { type Emulator, miniStack, moto } from './python-emulators.ts';
import type { RunningServer } from './start-server.ts';

/**
 * Where the emulators do otherwise than AWS documents, and the sandbox sides with AWS. Each is expected to fail, so that a
 * version that changes its manners is noticed.
 */
const differs: ReadonlyMap<Emulator, ReadonlyMap<string, string>> = new Map([
  [
    miniStack,
    new Map([
      ['parts in another order are refused', 'it puts them together'],
      ['a small part is refused unless it is the last', 'it has no such limit'],
    ]),
  ],
  [
    moto,
    new Map([
      ['the checksum of an object in parts is the hash of their hashes', 'it does not say of how many'],
      ['a part with another hash is refused', 'it does not look at the hash'],
      ['parts in another order are refused', 'it puts them together'],
    ]),
  ],
]);

function worldOf({ url }: RunningServer): S3World {
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  const region = 'us-east-1';
  return {
    client: new S3Client({ endpoint: url, region, credentials, forcePathStyle: true, maxAttempts: 1 }),
    connection: awsConnection({
      environment: { AWS_REGION: region, AWS_ENDPOINT_URL: url },
      awsCredentials: () => credentials,
      sendHttp,
      clock: { now: () => Date.now() },
    }),
  };
}

for (const emulator of [miniStack, moto])
  describe.skipIf(!emulator.isInstalled)(`S3 of ${emulator.name}`, () => {
    let server: RunningServer | undefined;
    beforeAll(async () => {
      server = await emulator.start();
    }, 60_000);
    afterAll(() => server?.stop());

    for (const [name, run] of Object.entries(s3Cases)) {
      const check = differs.get(emulator)?.has(name) ? test.fails : test;
      check(name, async () => {
        if (!server) throw new Error(`${emulator.name} does not run`);
        await run(worldOf(server));
      });
    }
  });
