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
      ['an asterisk is listed as an octal escape', 'it lists the name as it was given'],
      ['a name outside the zone is refused', 'it takes it'],
      ['a CNAME is the only set at its name', 'it takes both'],
      ['values that do not match the type are refused', 'it does not look at values'],
      ['duplicate values in a set are refused', 'it takes it twice'],
      ['a batch can have at most 1,000 values', 'it has no such limit'],
      ['NS and SOA of the apex cannot be deleted', 'it deletes them'],
    ]),
  ],
  [
    moto,
    new Map([
      ['creating an existing set is refused', 'it replaces the one that is there'],
      ['deleting a missing set is refused', 'it answers InvalidInput, as to a set without values'],
      ['deleting a set with another TTL is refused', 'it answers InvalidInput'],
      ['deleting a set with other values is refused', 'it answers InvalidInput'],
      [
        'a set can be deleted with its values in any order',
        'it takes them only in the order of their creation',
      ],
      ['DELETE and CREATE in one batch are a compare-and-swap', 'an older set that is deleted is not missed'],
      ['a change is first PENDING and INSYNC within a minute', 'every change is INSYNC at once'],
      ['an asterisk is listed as an octal escape', 'it lists the name as it was given'],
      ['a CNAME is the only set at its name', 'it takes both'],
      ['values that do not match the type are refused', 'it does not look at values'],
      ['duplicate values in a set are refused', 'it takes it twice'],
      ['NS and SOA of the apex cannot be deleted', 'it answers InvalidInput'],
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
