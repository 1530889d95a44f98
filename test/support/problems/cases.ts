import { terminate, withWorkers } from '../../../local/world/drover-world.ts';
import { budget, deployment, request, run } from '../../../local/world/workloads.ts';
import type { ProblemKind } from '../../../shared/problems/kinds.ts';
import { nodeNameOf } from '../observed-instance.ts';
import { disableScheduleOf, heldNode, minutes, type ProblemWorld, raise } from './problem-world.ts';
import type { SurfaceName } from './surfaces.ts';

/** Why a surface does not show a kind, and what it shows instead: never nothing. */
export interface Unseen {
  readonly reason: string;
  /** The alarm of the kind that it shows. */
  readonly alarm?: string;
  /** What it names as not looked at. */
  readonly names?: string;
}

export interface ProblemCase {
  /** Brings the world into the problem. */
  readonly make: (world: ProblemWorld) => Promise<void>;
  readonly unseen?: Partial<Readonly<Record<SurfaceName, Unseen>>>;
}

const one = { size: 1 } as const;

export const cases: Readonly<Partial<Record<ProblemKind, ProblemCase>>> = {
  overdue: {
    make: async (world) => {
      const [leaving = ''] = await withWorkers(world, { ...one, tags: { 'drover.dev/drain-timeout': '5m' } });
      await run(
        world,
        deployment({ name: 'stuck', replicas: 1, graceSeconds: 3600, stopsAfterSeconds: 3600 }),
        budget('stuck', { maxUnavailable: 0 }),
      );
      terminate(world, leaving, { replace: false });
      await world.timeline.pass(20 * minutes);
    },
  },
  quiet: {
    make: async (world) => {
      await heldNode(world);
      world.fail(({ caller }) => caller === 'node-leaving');
      await world.timeline.pass(35 * minutes);
    },
  },
  etcd: {
    make: async (world) => {
      const tags = { 'drover.dev/etcd-status': 'cluster a1 has no quorum' };
      await withWorkers(world, { ...one, role: 'control-plane', tags });
    },
  },
  'dead-letters': {
    make: async (world) => {
      await withWorkers(world, one);
      const { controls } = world.account.sqs;
      const queue = controls.queueNames().find((name) => name.endsWith('-InboxDeadLetterQueue'));
      controls.send(queue ?? '', { MessageBody: '{}' });
    },
  },
  'waits-at-risk': {
    make: async (world) => {
      await withWorkers(world, one);
      await raise(world, 'waits-at-risk');
    },
  },
  'not-running': {
    make: async (world) => {
      await withWorkers(world, one);
      world.alarms.start();
      disableScheduleOf(world, 'prewarm');
      await world.timeline.pass(50 * minutes);
    },
  },
  failing: {
    make: async (world) => {
      await withWorkers(world, one);
      world.alarms.start();
      world.fail(({ caller }) => caller === 'sweep');
      await world.timeline.pass(17 * minutes);
    },
  },
  bounded: {
    make: async (world) => {
      await withWorkers(world, one);
      await raise(world, 'bound-exceeded');
    },
  },
  budget: {
    make: async (world) => {
      await heldNode(world);
      await world.timeline.pass(20 * minutes);
    },
  },
  uncordoned: {
    make: async (world) => {
      const node = nodeNameOf(world, await heldNode(world));
      await request(world, 'PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: null } });
      await world.timeline.pass(2 * minutes);
    },
  },
  notifications: {
    make: async (world) => {
      world.alarms.start();
      const [leaving = ''] = await withWorkers(world, { size: 2 });
      world.fail(({ what }) => what === 'events PutEvents');
      terminate(world, leaving, { replace: false });
      await world.timeline.pass(15 * minutes);
    },
  },
  identities: {
    make: async (world) => {
      await withWorkers(world, one);
      await raise(world, 'identity-mapping-broken');
    },
  },
  tag: {
    make: async (world) => {
      await withWorkers(world, { ...one, tags: { 'drover.dev/force': 'perhaps' } });
    },
  },
};
