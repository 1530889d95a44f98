import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DroverWorld, membersOf, stateOf, terminate } from '../../local/world/drover-world.ts';
import {
  addTenantGroup,
  createWorldOfMany,
  groupOf,
  putTenantHold,
  type Tenant,
  type TenantWrite,
} from '../support/many-deployments.ts';

/** Names that are prefixes of each other, or differ in case or in one character. The first is that of the sandbox's cluster. */
const names = (
  'drover Drover DROVER drove drover2 drover-2 drover- drover. drover_ rover drover-drover drover-dev dev Dev d ' +
  'D drover-2-a drover-2-b drover.2 drover_2 holds floors prod prod-eu prod-eu-1 Prod prod.eu prod_eu xdrover drover--'
).split(' ');

/** Stages that are prefixes of each other too. */
const tenantsOf = (clusters: readonly string[]): readonly Tenant[] =>
  clusters.map((clusterName, index) => ({
    clusterName,
    stage: index === 0 ? 'dev' : `dev${'-a'.repeat(index % 3)}-${index}`,
  }));

/**
 * What a write is about belongs to the cluster of the role that made it. A message to one's own queue may be about an instance whose group has
 * just moved to another cluster: the pass that gets it reads the tags again.
 */
function expectIsolated(writes: readonly TenantWrite[], tenants: readonly Tenant[]): void {
  for (const { by, operation, subjects, owners } of writes) {
    const tenant = tenants.find(({ clusterName }) => clusterName === by);
    const foreign = [
      ...(operation.startsWith('SendMessage') ? [] : owners.filter((owner) => owner !== by)),
      ...subjects.filter((subject) => subject.startsWith('/drover/') && subject.split('/')[2] !== by),
      ...subjects.filter((subject) => subject.startsWith('https://sqs') && !isQueueOf(subject, tenant)),
    ];
    expect({ by, operation, foreign }).toEqual({ by, operation, foreign: [] });
  }
}

/** Queues are named `drover-STAGE-PartQueue-SUFFIX`. */
const isQueueOf = (url: string, tenant: Tenant | undefined): boolean =>
  /^drover-(.+)-[A-Z][A-Za-z]*Queue/.exec(url.slice(url.lastIndexOf('/') + 1))?.[1] === tenant?.stage;

const instanceOf = (world: DroverWorld, tenant: Tenant): string =>
  membersOf(world, groupOf(tenant))[0]?.InstanceId ?? '';

async function startAll(clusters: readonly string[]) {
  const tenants = tenantsOf(clusters);
  const { world, writes } = createWorldOfMany(tenants);
  for (const tenant of tenants) addTenantGroup(world, tenant);
  const isInService = (tenant: Tenant): boolean =>
    membersOf(world, groupOf(tenant))[0]?.LifecycleState === 'InService';
  await world.timeline.until(() => tenants.every(isInService), { withinSeconds: 600, what: 'all groups' });
  return { world, writes, tenants };
}

describe('thirty clusters in one account', () => {
  it('no pass of one touches an instance, a parameter or a queue of another', async () => {
    const { world, writes, tenants } = await startAll(names);
    const leaving = tenants.map((tenant) => instanceOf(world, tenant));
    for (const [index, tenant] of tenants.entries()) {
      putTenantHold(world, tenant, 2);
      terminate(world, leaving[index] ?? '');
    }
    await world.timeline.pass(10 * 60);
    expectIsolated(writes, tenants);
    // Each deployment has done its own work: its instance has left, and its hold has raised MinSize.
    const completed = new Set(
      writes.filter(({ operation }) => operation === 'CompleteLifecycleAction').map(({ by }) => by),
    );
    expect([...completed].toSorted()).toEqual(names.toSorted());
    expect([...new Set(writes.map(({ operation }) => operation))]).toEqual(
      expect.arrayContaining(['UpdateAutoScalingGroup', 'PutParameter', 'SendMessageBatch']),
    );
    for (const instanceId of leaving) expect(stateOf(world, instanceId)).toBeUndefined();
    const sizes = world.account.autoScaling.operations
      .DescribeAutoScalingGroups({})
      .AutoScalingGroups.map(({ MinSize }) => MinSize);
    expect(sizes).toEqual(names.map(() => 2));
  });
});

describe('what is recorded of a pass', () => {
  const tenants = tenantsOf(['drover', 'drover2']);
  const write = { by: 'drover', operation: 'Any', subjects: [], owners: [] };
  it.each([
    ['a group', { owners: ['drover2'] }],
    ['a parameter', { subjects: ['/drover/drover2/holds/a/b'] }],
    [
      'a queue',
      { subjects: ['https://sqs.eu-west-1.amazonaws.com/123456789012/drover-dev-a-1-InboxQueue-X'] },
    ],
  ])('is refused if it is about %s of another cluster', (_, foreign) => {
    expect(() => expectIsolated([{ ...write, ...foreign }], tenants)).toThrow('to deeply equal');
  });

  it('is accepted if it is about its own', () => {
    const subjects = [
      '/drover/drover/holds/a/b',
      'https://sqs.eu-west-1.amazonaws.com/123456789012/drover-dev-InboxQueue-X',
    ];
    expectIsolated([{ ...write, subjects, owners: ['drover'] }], tenants);
  });
});

describe('the clusters of any account', () => {
  it('keep apart whatever their names are, while instances leave, holds are made and tags move', async () => {
    const step = fc.record({
      kind: fc.constantFrom('terminate', 'hold', 'move'),
      at: fc.nat(4),
      to: fc.nat(4),
      seconds: fc.integer({ min: 0, max: 90 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(names.slice(1), { minLength: 4, maxLength: 4 }),
        fc.array(step, { minLength: 3, maxLength: 6 }),
        async (others, steps) => {
          const { world, writes, tenants } = await startAll(['drover', ...others]);
          for (const { kind, at, to, seconds } of steps) {
            const [tenant, target] = [tenants[at], tenants[to]];
            if (tenant === undefined || target === undefined) continue;
            const instanceId = instanceOf(world, tenant);
            if (kind === 'hold') putTenantHold(world, tenant, 1 + to);
            else if (kind === 'move') moveTag(world, tenant, target);
            else if (stateOf(world, instanceId) === 'InService') terminate(world, instanceId);
            await world.timeline.pass(seconds);
          }
          await world.timeline.pass(5 * 60);
          expectIsolated(writes, tenants);
        },
      ),
      { numRuns: 3 },
    );
  });
});

/** The group of a tenant becomes one of another cluster, and only of that one. */
function moveTag({ account }: DroverWorld, tenant: Tenant, target: Tenant): void {
  const group = { ResourceId: groupOf(tenant), ResourceType: 'auto-scaling-group' };
  const { operations } = account.autoScaling;
  const { AutoScalingGroups } = operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [groupOf(tenant)],
  });
  const old = AutoScalingGroups.flatMap(({ Tags = [] }) => Tags.map(({ Key = '' }) => Key));
  operations.DeleteTags({
    Tags: old.filter((key) => key.startsWith(tagPrefix)).map((Key) => ({ ...group, Key })),
  });
  operations.CreateOrUpdateTags({
    Tags: [{ ...group, Key: `${tagPrefix}${target.clusterName}`, Value: 'owned', PropagateAtLaunch: true }],
  });
}

const tagPrefix = 'kubernetes.io/cluster/';
