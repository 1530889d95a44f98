import type { CallInFlight, Wiring } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import { terminate } from '../../local/world/drover-world.ts';
import { clustersOf, createEtcdDroverWorld, domain, zoneId } from '../../local/world/etcd/etcd-world.ts';
import {
  inService,
  lastReason,
  markIn,
  peersIn,
  recordsIn,
  untilWhole,
} from '../../local/world/etcd/expectations.ts';

const withVariable =
  (name: string, value: string) =>
  (wiring: Wiring): Wiring => ({
    ...wiring,
    functions: wiring.functions.map((one) => ({
      ...one,
      environment: name in one.environment ? { ...one.environment, [name]: value } : one.environment,
    })),
  });

const record = (Name: string, Type: 'A' | 'SRV' | 'CNAME' | 'TXT', Value: string) => ({
  HostedZoneId: zoneId,
  ChangeBatch: {
    Changes: [
      { Action: 'CREATE' as const, ResourceRecordSet: { Name, Type, TTL: 60, ResourceRecords: [{ Value }] } },
    ],
  },
});

describe("records without Drover's mark", () => {
  it('under the same domain are never changed', async () => {
    const world = createEtcdDroverWorld();
    const { operations } = world.account.route53;
    operations.ChangeResourceRecordSets(record(`www.${domain}`, 'A', '10.9.9.9'));
    operations.ChangeResourceRecordSets(record(`mail.${domain}`, 'CNAME', 'example.com'));
    addEtcdGroup(world, { size: 3 });
    await untilWhole(world, 3);
    const [one = ''] = inService(world);
    terminate(world, one);
    await untilWhole(world, 3);
    const kept = recordsIn(world).filter(({ name }) => name.startsWith('www') || name.startsWith('mail'));
    expect(kept.map(({ values }) => values)).toEqual(expect.arrayContaining([['10.9.9.9'], ['example.com']]));
  });

  it('under the same domain hide none of its own, although there are thousands', async () => {
    const world = createEtcdDroverWorld();
    const { operations } = world.account.route53;
    const names = Array.from(
      { length: 3000 },
      (_, index) => `${['a', 'j', '_z'][index % 3]}-${index}.${domain}`,
    );
    for (let start = 0; start < names.length; start += 1000)
      operations.ChangeResourceRecordSets({
        HostedZoneId: zoneId,
        ChangeBatch: {
          Changes: names
            .slice(start, start + 1000)
            .flatMap((name) => record(name, 'A', '10.9.9.9').ChangeBatch.Changes),
        },
      });
    addEtcdGroup(world, { size: 3 });
    const clusterId = await untilWhole(world, 3);
    const [one = ''] = inService(world);
    terminate(world, one);
    expect(await untilWhole(world, 3)).toBe(clusterId);
    expect(recordsIn(world).filter(({ values }) => values.includes('10.9.9.9'))).toHaveLength(3000);
  });

  it('under a needed name block every change until they are gone', async () => {
    const world = createEtcdDroverWorld();
    const { operations } = world.account.route53;
    const name = `_etcd-server-ssl._tcp.${domain}`;
    operations.ChangeResourceRecordSets(record(name, 'SRV', '0 0 2380 old.example.com'));
    addEtcdGroup(world, { size: 3 });
    await world.timeline.pass(600);
    expect(lastReason(world)).toBe(
      `the record SRV ${name} is in the way: it does not have the mark of Drover; Drover changes nothing until it is gone`,
    );
    expect([...clustersOf(world)]).toEqual([]);
    const [change] = record(name, 'SRV', '0 0 2380 old.example.com').ChangeBatch.Changes;
    if (!change) throw new Error('one was made');
    operations.ChangeResourceRecordSets({
      HostedZoneId: zoneId,
      ChangeBatch: { Changes: [{ ...change, Action: 'DELETE' }] },
    });
    await untilWhole(world, 3);
  });

  it('that mark the domain for another cluster block every change', async () => {
    const world = createEtcdDroverWorld();
    world.account.route53.operations.ChangeResourceRecordSets({
      HostedZoneId: zoneId,
      ChangeBatch: {
        Changes: [
          {
            Action: 'CREATE',
            ResourceRecordSet: {
              Name: `_drover-etcd.${domain}`,
              Type: 'TXT',
              TTL: 60,
              ResourceRecords: ['v=drover1', 'cluster=other', 'birth=published'].map((text) => ({
                Value: `"${text}"`,
              })),
            },
          },
        ],
      },
    });
    addEtcdGroup(world, { size: 1 });
    await world.timeline.pass(600);
    expect(lastReason(world)).toMatch(/the mark of the domain does not belong to this cluster/);
    expect(peersIn(world)).toEqual([]);
  });
});

describe('a zone that does not exist', () => {
  it('is reported, and the instances wait', async () => {
    const world = createEtcdDroverWorld({
      editWiring: withVariable('DROVER_ETCD_ZONE_ID', 'Z0NOBODYHASTHIS00001'),
    });
    addEtcdGroup(world, { size: 1 });
    await world.timeline.pass(300);
    expect(inService(world)).toEqual([]);
    expect(JSON.stringify(world.lines.filter(({ level }) => level === 'error'))).toMatch(
      /Z0NOBODYHASTHIS00001/,
    );
  });
});

describe('the service names', () => {
  it.each(['both', 'plain'])('follow the setting %s, and members discover each other', async (services) => {
    const world = createEtcdDroverWorld({ editWiring: withVariable('DROVER_ETCD_SERVICES', services) });
    addEtcdGroup(world, { size: 3 });
    await world.timeline.until(() => inService(world).length === 3, {
      withinSeconds: 900,
      what: 'three in service',
    });
    const names = recordsIn(world).flatMap(({ type, name }) => (type === 'SRV' ? [name.split('.')[0]] : []));
    const plain = ['_etcd-client', '_etcd-server'];
    const ssl = ['_etcd-client-ssl', '_etcd-server-ssl'];
    expect(new Set(names)).toEqual(new Set(services === 'plain' ? plain : ['_etcd-client', ...ssl]));
    expect([...clustersOf(world).values()].map((members) => members.length)).toEqual([3]);
  });

  it('may have a suffix', async () => {
    const world = createEtcdDroverWorld({ editWiring: withVariable('DROVER_ETCD_SERVICE_NAME', 'main') });
    addEtcdGroup(world, { size: 3 });
    await world.timeline.until(() => inService(world).length === 3, {
      withinSeconds: 900,
      what: 'three in service',
    });
    expect(world.etcd.resolve(`_etcd-server-ssl-main._tcp.${domain}`, 'SRV')).toHaveLength(3);
  });
});

describe('a deployment that cannot reach etcd', () => {
  const dnsOnly = { editWiring: withVariable('DROVER_ETCD_MODE', 'dns-only') };

  it('publishes the first set at once and marks it, and asks no member', async () => {
    const calls: CallInFlight[] = [];
    const world = createEtcdDroverWorld({ ...dnsOnly, weather: { onCall: (call) => void calls.push(call) } });
    addEtcdGroup(world, { size: 3 });
    await untilWhole(world, 3);
    expect(markIn(world)).toMatchObject({ birth: { kind: 'published' } });
    expect(calls.filter(({ to }) => to === 'etcd')).toEqual([]);
  });

  it('lets the records follow the group, and publishes later instances as existing', async () => {
    const world = createEtcdDroverWorld(dnsOnly);
    addEtcdGroup(world, { size: 3 });
    await untilWhole(world, 3);
    const [leaving = ''] = inService(world);
    terminate(world, leaving);
    await world.timeline.until(() => inService(world).length === 3 && !inService(world).includes(leaving), {
      withinSeconds: 900,
      what: 'the replacement in service',
    });
    expect(peersIn(world)).toEqual(inService(world));
    const states = inService(world).map((id) =>
      world.account.ssm.controls.value(`/drover/drover/etcd/members/${id}`),
    );
    expect(states.filter((state) => state?.includes('"existing"'))).toHaveLength(1);
  });
});

describe('a group in each of several zones', () => {
  it('forms one control plane', async () => {
    const world = createEtcdDroverWorld();
    for (const zone of ['a', 'b', 'c'])
      addEtcdGroup(world, { size: 1, autoScalingGroupName: `etcd-${zone}` });
    const all = () => ['a', 'b', 'c'].flatMap((zone) => inService(world, `etcd-${zone}`)).toSorted();
    await world.timeline.until(() => all().length === 3, { withinSeconds: 900, what: 'three in service' });
    expect(peersIn(world)).toEqual(all());
    const [one = ''] = inService(world, 'etcd-b');
    terminate(world, one);
    await world.timeline.until(() => all().length === 3 && !all().includes(one), {
      withinSeconds: 900,
      what: 'the replacement in service',
    });
    expect(peersIn(world)).toEqual(all());
  });
});

describe('a change of the membership', () => {
  it('needs at most four calls of Route 53, besides those for the sync status', async () => {
    const calls: string[] = [];
    const onCall = ({ what }: CallInFlight) => void (what.startsWith('route53') && calls.push(what));
    const world = createEtcdDroverWorld({ weather: { onCall } });
    addEtcdGroup(world, { size: 3 });
    await untilWhole(world, 3);
    await world.timeline.pass(600);
    calls.length = 0;
    const [one = ''] = inService(world);
    terminate(world, one);
    await untilWhole(world, 3);
    // A replacement is two changes: one member removed, one added.
    const counted = calls.filter((what) => !what.endsWith('GetChange'));
    expect(counted.length).toBeLessThanOrEqual(8);
  });
});
