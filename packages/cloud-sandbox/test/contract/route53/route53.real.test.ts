import { setTimeout as sleep } from 'node:timers/promises';
import { Route53Client } from '@aws-sdk/client-route-53';
import { clientOptions, type Emulator, miniStack, moto, running } from '../../../real/emulators/emulators.ts';
import type { RunningServer } from '../../../real/emulators/start-server.ts';
import { contract } from '../../../truth/contract.ts';
import { type Route53World, route53Cases } from './cases.ts';

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

const worldOf = (server: RunningServer): Route53World => ({
  client: new Route53Client(clientOptions(server)),
  pass: (seconds) => sleep(seconds * 1000),
});

for (const emulator of [miniStack, moto]) {
  const server = running(emulator);
  contract({
    area: 'Route 53',
    world: emulator.name,
    cases: route53Cases,
    open: async () => worldOf(await server()),
    differs: differs.get(emulator),
    missing: emulator.missing,
  });
}
