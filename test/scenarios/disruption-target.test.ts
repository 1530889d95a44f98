import { type CallInFlight, isWrite, type Strike } from '@drover/cloud-sandbox';
import { deniedByWebhook, forbiddenByRbac } from '@drover/cloud-sandbox/kubernetes';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, heldDeployment, podsNamed, run, type Workload } from '../../local/world/workloads.ts';

/** A worker leaves, and its pods have a minute. */
async function leave(
  makes: (workload: Workload) => readonly object[],
  strike: (call: CallInFlight) => Strike | undefined = () => undefined,
) {
  const calls: string[] = [];
  const world = createDroverWorld({
    weather: {
      strike: (call) => {
        if (call.caller !== 'node-leaving' || call.to !== 'kubernetes') return undefined;
        if (isWrite(call) && call.what.includes('/pods/')) calls.push(call.what);
        return strike(call);
      },
    },
  });
  const [leaving = ''] = await withWorkers(world, { size: 1, tags: { 'drover.dev/drain-timeout': '90s' } });
  const workload = { name: 'job', replicas: 3, graceSeconds: 25, stopsAfterSeconds: 20 };
  await run(world, ...(makes(workload) as Parameters<typeof run>[1][]));
  terminate(world, leaving, { replace: false });
  await world.timeline.until(() => terminatingIn(world).length === 3, {
    withinSeconds: 150,
    what: 'the deletion of its pods',
  });
  return { world, calls };
}

const terminatingIn = (world: DroverWorld): readonly Pod[] =>
  podsNamed(world, 'job').filter(({ metadata, spec }) => metadata?.deletionTimestamp && spec?.nodeName);

const disruptionOf = ({ status }: Pod) =>
  status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason;

const forcedEvents = ({ kubernetes }: DroverWorld): readonly string[] =>
  kubernetes.store
    .of('events')
    .list()
    .flatMap(({ reason, message }) => (reason === 'DrainForced' ? [message ?? ''] : []));

it.each([
  ['evicted', (workload: Workload) => [deployment(workload)], 'EvictionByEvictionAPI'],
  ['deleted at the deadline', heldDeployment, 'DeletionByDrover'],
] as const)(
  'pods that are %s have the condition by which a Job does not count their end',
  async (_, makes, reason) => {
    const { world } = await leave(makes);
    expect(terminatingIn(world).map(disruptionOf)).toEqual([reason, reason, reason]);
    expect(world.problems).toEqual([]);
  },
);

const isMark = (what: string): boolean => what.startsWith('PATCH') && what.includes('/status');

it.each([
  [
    'RBAC',
    (call: CallInFlight) => forbiddenByRbac({ what: call.what, username: 'drover' }),
    /User "drover" cannot/,
  ],
  ['a webhook', () => deniedByWebhook({ webhook: 'policy.example', why: 'no' }), /policy\.example/],
  ['a server that hangs', () => ({ kind: 'hang-before' }) as const, /no answer/],
] as const)(
  'without the condition, because of %s, pods are deleted all the same, and one Event says why',
  async (_, refusal, why) => {
    const { world, calls } = await leave(heldDeployment, (call) =>
      isMark(call.what) ? refusal(call) : undefined,
    );
    expect(terminatingIn(world).map(disruptionOf)).toEqual([undefined, undefined, undefined]);
    expect(calls.filter(isMark)).toHaveLength(1);
    expect(forcedEvents(world)).toEqual([expect.stringMatching(why)]);
    expect(world.problems).toEqual([]);
  },
);
