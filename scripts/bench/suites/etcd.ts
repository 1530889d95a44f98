import { addEtcdGroup } from '../../../local/etcd-group.ts';
import { terminate } from '../../../local/world/drover-world.ts';
import { createEtcdDroverWorld, domain } from '../../../local/world/etcd/etcd-world.ts';
import { inService, untilWhole } from '../../../local/world/etcd/expectations.ts';
import { afterChanges } from '../../../shared/etcd/memory.ts';
import { planRecords } from '../../../shared/etcd/plan-records.ts';
import { type Publication, recordsOf } from '../../../shared/etcd/records.ts';
import type { DnsRecord, ZoneContent } from '../../../shared/etcd/zone.ts';
import { type Figure, median, type Suite } from '../figure.ts';

const rounds = 21;
const members = 50;
const foreignRecords = 10_000;
const planMillisecondsGoal = 100;
const callsGoal = 4;

const publicationOf = (first: number): Publication => ({
  naming: { domain, services: 'ssl' },
  clusterName: 'drover',
  ttlSeconds: 10,
  changedAt: 1,
  birth: { kind: 'born', clusterId: '9a3f' },
  members: Array.from({ length: members }, (_, index) => ({
    instanceId: `i-${String(first + index).padStart(17, '0')}`,
    addresses: [`10.0.${first % 200}.${index}`],
    state: 'existing',
  })),
});

const foreign: readonly DnsRecord[] = Array.from({ length: foreignRecords }, (_, index) => ({
  name: `host-${index}.${domain}`,
  type: 'A',
  ttlSeconds: 60,
  values: [`10.9.${index % 250}.1`],
}));

/** Every member of fifty is another than before, in a domain full of records of others. */
function planning(): Figure {
  const after = publicationOf(1000);
  const zone: ZoneContent = { records: [...recordsOf(publicationOf(0)), ...foreign], foreign: [] };
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    const { changes } = planRecords(zone, recordsOf(after), after);
    const took = performance.now() - begun;
    if (planRecords(afterChanges(zone, changes), recordsOf(after), after).changes.length > 0)
      throw new Error('planning twice changed something');
    return took;
  });
  return {
    name: `a plan of ${members} members among 10,000 foreign records`,
    value: median(times),
    unit: 'ms',
    goal: planMillisecondsGoal,
  };
}

/** A replacement is two changes of the membership: one member goes, one comes. */
async function replacing(): Promise<Figure> {
  let calls = 0;
  const world = createEtcdDroverWorld({
    weather: {
      onCall: ({ what }) => {
        if (what.startsWith('route53') && !what.endsWith('GetChange')) calls += 1;
      },
    },
  });
  addEtcdGroup(world, { size: 3 });
  await untilWhole(world, 3);
  await world.timeline.pass(600);
  calls = 0;
  const [leaving = ''] = inService(world);
  terminate(world, leaving);
  await untilWhole(world, 3);
  return {
    name: 'Route 53 for a change of the membership, besides asking for INSYNC',
    value: calls / 2,
    unit: 'calls',
    goal: callsGoal,
  };
}

export const etcd: Suite = {
  name: 'etcd',
  about: 'the plan of a large zone, and what a member that is replaced calls of Route 53',
  run: async () => [planning(), await replacing()],
};
