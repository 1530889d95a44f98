import { tokenUser } from '../../../local/world/certificates/requests.ts';
import { type DroverWorldOptions, terminate, withWorkers } from '../../../local/world/drover-world.ts';
import { putHold } from '../../../local/world/holds.ts';
import { barePod, budget, deployment, podsNamed, request, run } from '../../../local/world/workloads.ts';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import type { ProblemKind } from '../../../shared/problems/kinds.ts';
import { operatorOf } from '../../cli/operator.ts';
import { askForCertificate } from '../certificates/kubelet.ts';
import { launchWorkers } from '../joining-world.ts';
import { nodeNameOf } from '../observed-instance.ts';
import {
  deadLetterIn,
  disableScheduleOf,
  heldNode,
  minutes,
  type ProblemWorld,
  raise,
} from './problem-world.ts';
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
  readonly options?: DroverWorldOptions;
  /** Brings the world into the problem. */
  readonly make: (world: ProblemWorld) => Promise<void>;
  readonly unseen?: Partial<Readonly<Record<SurfaceName, Unseen>>>;
}

const one = { size: 1 } as const;

/** A stranger with the bootstrap token asks for the name of a node. */
async function askFor(world: ProblemWorld, node: string): Promise<void> {
  const subject = `O=system:nodes,CN=system:node:${node}`;
  await askForCertificate(world, { name: 'asked', user: tokenUser, signer: 'client', subject });
}

const unseenRequests = (alarm: string): NonNullable<ProblemCase['unseen']> => ({
  api: { reason: 'its role may not list certificate requests', alarm },
  digest: { reason: 'the identity of the sweep may not list certificate requests', alarm },
  page: { reason: 'the verdict on a request awaits calls', alarm },
});

export const cases: Readonly<Record<ProblemKind, ProblemCase>> = {
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
  'tags-lost': {
    make: async (world) => {
      await heldNode(world);
      const tag = { ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key: 'drover.dev/role' };
      world.account.autoScaling.operations.DeleteTags({ Tags: [tag] });
      await world.timeline.pass(1 * minutes);
    },
  },
  etcd: {
    make: async (world) => {
      const tags = { 'drover.dev/etcd-status': 'cluster a1 has no quorum' };
      await withWorkers(world, { ...one, role: 'control-plane', tags });
    },
  },
  withheld: {
    make: async (world) => {
      world.alarms.start();
      const ids = await withWorkers(world, { size: 4, tags: { 'drover.dev/repair': 'NotReady=5m' } });
      for (const id of ids.slice(1)) world.kubelets.get(id)?.stop();
      await world.timeline.pass(30 * minutes);
    },
    unseen: { page: { reason: 'the judgement of repairs awaits calls', alarm: 'repairs-withheld' } },
  },
  hook: {
    make: async (world) => {
      await withWorkers(world, { ...one, hook: undefined });
    },
    unseen: {
      api: { reason: 'hooks cost a call for each group', names: 'the hooks of the groups' },
      digest: { reason: 'it reads what the API reads', names: 'the hooks of the groups' },
    },
  },
  'certificate-conflict': {
    make: async (world) => {
      world.alarms.start();
      const [id = ''] = await withWorkers(world, one);
      await askFor(world, nodeNameOf(world, id));
      await world.timeline.pass(12 * minutes);
    },
    unseen: unseenRequests('certificate-conflicts'),
  },
  'no-node': {
    make: async (world) => {
      const [id = ''] = await withWorkers(world, one);
      const node = nodeNameOf(world, id);
      world.kubelets.get(id)?.stop();
      await request(world, 'DELETE', `/api/v1/nodes/${node}`);
      await world.timeline.pass(30 * minutes);
    },
  },
  'no-approver': {
    make: async (world) => {
      await withWorkers(world, one);
      world.kubernetes.registry.create('nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'master-1', labels: { 'node-role.kubernetes.io/control-plane': '' } },
      });
    },
    unseen: {
      api: { reason: 'its identity may only list Nodes', names: 'the approvers of certificates' },
      digest: { reason: 'the same', names: 'the approvers of certificates' },
    },
  },
  'dead-letters': {
    make: async (world) => {
      await withWorkers(world, one);
      deadLetterIn(world);
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
      // If all calls of the sweep fail, no digest can be sent either, and the alarms of the sweep notify by themselves.
      world.fail(({ caller, what }) => caller === 'sweep' && what.startsWith('autoscaling '));
      await world.timeline.pass(17 * minutes);
    },
  },
  bounded: {
    make: async (world) => {
      await withWorkers(world, one);
      await raise(world, 'bound-exceeded');
    },
  },
  'join-overdue': {
    options: { kubelets: { configure: () => undefined } },
    make: async (world) => {
      launchWorkers(world, 1);
      await world.timeline.pass(25 * minutes);
    },
  },
  'certificate-waiting': {
    make: async (world) => {
      world.alarms.start();
      const [id = ''] = await withWorkers(world, one);
      world.kubelets.get(id)?.stop();
      await world.timeline.pass(5 * minutes);
      await askFor(world, nodeNameOf(world, id));
      await world.timeline.pass(30 * minutes);
    },
    unseen: unseenRequests('certificate-requests-late'),
  },
  credential: {
    make: async (world) => {
      await withWorkers(world, { size: 0 });
      await world.lambda.invoke('bootstrap-credential', {});
      disableScheduleOf(world, 'bootstrap-credential');
      await world.timeline.pass(14 * 60 * minutes);
    },
  },
  capacity: {
    make: async (world) => {
      await withWorkers(world, { ...one, settings: { MinSize: 1, MaxSize: 3 } });
      putHold(world, { nodes: 8, minutes: 300 });
      await world.timeline.pass(10 * minutes);
    },
  },
  schedule: {
    make: async (world) => {
      await withWorkers(world, one);
      await withWorkers(world, { ...one, autoScalingGroupName: 'spare' });
      const words = 'schedule create spare 1 --name shop --time-zone Europe/Berlin --for 10h --cron'.split(
        ' ',
      );
      const { code, err } = await operatorOf(world)([...words, '0 8 ? * MON-FRI *']);
      if (code !== 0) throw new Error(err);
      const { operations } = world.account.autoScaling;
      operations.DeleteAutoScalingGroup({ AutoScalingGroupName: 'spare', ForceDelete: true });
      await world.timeline.pass(10 * minutes);
    },
  },
  'scheduled-action': {
    make: async (world) => {
      await withWorkers(world, { ...one, settings: { MinSize: 1, MaxSize: 5 } });
      putHold(world, { nodes: 2, minutes: 600 });
      world.account.autoScaling.operations.PutScheduledUpdateGroupAction({
        AutoScalingGroupName: 'workers',
        ScheduledActionName: 'night',
        StartTime: new Date(world.clock.now() + 60 * minutes * 1000),
        MinSize: 0,
        MaxSize: 5,
        DesiredCapacity: 0,
      });
      await world.timeline.pass(10 * minutes);
    },
    unseen: {
      digest: {
        reason: 'the sweep runs too often for the call',
        names: 'the scheduled actions of Auto Scaling',
      },
    },
  },
  budget: {
    make: async (world) => {
      await heldNode(world);
      await world.timeline.pass(20 * minutes);
    },
  },
  unreplaced: {
    make: async (world) => {
      const [leaving = ''] = await withWorkers(world, {
        size: 2,
        tags: { 'drover.dev/await-replacement': 'true' },
      });
      for (const { availabilityZone } of world.account.ec2.instances.subnets())
        world.account.ec2.accidents.setCapacity({
          instanceType: 'm5.large',
          availabilityZone,
          available: false,
        });
      terminate(world, leaving);
      await world.timeline.pass(25 * minutes);
    },
  },
  retained: {
    make: async (world) => {
      const ids = await withWorkers(world, {
        size: 2,
        tags: {
          'drover.dev/drain-timeout': '60',
          'drover.dev/on-failure': 'ABANDON',
          'drover.dev/force': 'false',
        },
        settings: { InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'retain' } } },
      });
      await run(world, barePod('lonely'));
      const node = podsNamed(world, 'lonely')[0]?.spec?.nodeName;
      terminate(world, ids.find((id) => nodeNameOf(world, id) === node) ?? '', { replace: false });
      await world.timeline.pass(10 * minutes);
    },
  },
  uncordoned: {
    make: async (world) => {
      const node = nodeNameOf(world, await heldNode(world));
      await request(world, 'PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: null } });
      await world.timeline.pass(2 * minutes);
    },
  },
  'left-behind': {
    make: async (world) => {
      const [id = ''] = await withWorkers(world, { size: 2, settings: { MinSize: 0 } });
      const at = new Date(world.clock.now()).toISOString();
      const mark = formatLeavingMark({
        cause: 'terminating',
        instanceId: id,
        since: at,
        renewedAt: at,
        before: { unschedulable: false, excludedFromLoadBalancers: false },
        waitingFor: [],
      });
      const metadata = { annotations: { [leavingAnnotation]: mark } };
      world.fail(
        ({ caller, what }) =>
          (caller === 'sweep' && what.startsWith('sqs Send')) || caller === 'node-leaving',
      );
      await request(world, 'PATCH', `/api/v1/nodes/${nodeNameOf(world, id)}`, { metadata });
      world.account.autoScaling.operations.DetachInstances({
        AutoScalingGroupName: 'workers',
        InstanceIds: [id],
        ShouldDecrementDesiredCapacity: true,
      });
      await world.timeline.pass(20 * minutes);
    },
  },
  'warm-wait': {
    make: async (world) => {
      await withWorkers(world, { size: 0 });
      const { operations } = world.account.autoScaling;
      operations.PutLifecycleHook({
        AutoScalingGroupName: 'workers',
        LifecycleHookName: 'drover-node-joining',
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
        HeartbeatTimeout: 600,
      });
      operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, MaxGroupPreparedCapacity: 1 });
      await world.timeline.pass(17 * minutes);
    },
  },
  notifications: {
    make: async (world) => {
      world.alarms.start();
      const [leaving = ''] = await withWorkers(world, { size: 2 });
      world.fail(({ what, caller }) => what === 'events PutEvents' && caller === 'node-leaving');
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
  'second-drainer': {
    make: async (world) => {
      await withWorkers(world, { ...one, tags: { 'aws-node-termination-handler/managed': '' } });
    },
  },
  tag: {
    make: async (world) => {
      await withWorkers(world, { ...one, tags: { 'drover.dev/force': 'perhaps' } });
    },
  },
};
