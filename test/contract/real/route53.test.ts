import { setTimeout as sleep } from 'node:timers/promises';
import { Route53Client } from '@aws-sdk/client-route-53';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { sendHttp } from '../../../shared/kubernetes/send-http.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { type Route53World, route53Cases } from '../route53-cases.ts';
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
      ['an asterisk is spelled as an octal escape', 'it lists the name as it was given'],
      ['a name outside the zone is refused', 'it takes it'],
      ['nothing stands beside a CNAME', 'it takes both'],
      ['values that do not fit the type are refused', 'it does not look at values'],
      ['one value stands in a set once', 'it takes it twice'],
      ['a batch takes 1,000 values and no more', 'it has no such limit'],
      ['NS and SOA of the apex stay', 'it deletes them'],
    ]),
  ],
  [
    moto,
    new Map([
      ['a set that exists is not created again', 'it replaces the one that is there'],
      ['a set that does not exist is not deleted', 'it answers InvalidInput, as to a set without values'],
      ['a set is not deleted by another TTL', 'it answers InvalidInput'],
      ['a set is not deleted by other values', 'it answers InvalidInput'],
      [
        'the order of values says nothing when a set is deleted',
        'it takes them only in the order of their creation',
      ],
      ['delete and create in one batch compare and swap', 'an older set that is deleted is not missed'],
      ['a change is PENDING at first and INSYNC within a minute', 'every change is INSYNC at once'],
      ['an asterisk is spelled as an octal escape', 'it lists the name as it was given'],
      ['nothing stands beside a CNAME', 'it takes both'],
      ['values that do not fit the type are refused', 'it does not look at values'],
      ['one value stands in a set once', 'it takes it twice'],
      ['NS and SOA of the apex stay', 'it answers InvalidInput'],
    ]),
  ],
]);

function worldOf({ url }: RunningServer): Route53World {
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  return {
    client: new Route53Client({ endpoint: url, region: 'us-east-1', credentials, maxAttempts: 1 }),
    connection: awsConnection({
      environment: { AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL: url },
      awsCredentials: () => credentials,
      sendHttp,
      clock: { now: () => Date.now() },
    }),
    pass: (seconds) => sleep(seconds * 1000),
  };
}

for (const emulator of [miniStack, moto])
  describe.skipIf(!emulator.isInstalled)(`Route 53 of ${emulator.name}`, () => {
    let server: RunningServer | undefined;
    beforeAll(async () => {
      server = await emulator.start();
    }, 60_000);
    afterAll(() => server?.stop());

    for (const [name, run] of Object.entries(route53Cases)) {
      const check = differs.get(emulator)?.has(name) ? test.fails : test;
      check(name, async () => {
        if (!server) throw new Error(`${emulator.name} does not run`);
        await run(worldOf(server));
      });
    }
  });
