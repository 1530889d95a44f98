import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { createSilence } from '../../../shared/base/side-by-side.ts';
import type { CertificateRequest } from '../../../shared/certificates/certificate-request.ts';
import type { Approval, CertificateContext } from '../../../shared/certificates/decide-requests.ts';
import type { NamedInstance } from '../../../shared/certificates/observe.ts';
import { createReadings } from '../../../shared/certificates/read-request.ts';
import type { AutoScalingGroup, GroupMember } from '../../../shared/groups/group.ts';
import { notifyNothing } from '../../../shared/notifications/notification.ts';
import { instanceFacts, settings } from './facts.ts';
import { now } from './requests.ts';

export interface FakeWorld {
  readonly requests: readonly CertificateRequest[];
  readonly instances: readonly NamedInstance[];
  readonly members?: readonly (Partial<GroupMember> & Pick<GroupMember, 'instanceId'>)[];
  readonly groupTags?: Readonly<Record<string, string>>;
  /** Instances that DescribeAutoScalingGroups does not list: those of the warm pool. */
  readonly pooled?: readonly GroupMember[];
  readonly nodes?: Readonly<Record<string, Node>>;
  /** Node names that cannot be read. */
  readonly unreadable?: readonly string[];
  readonly returns?: ReadonlyMap<string, number>;
  /** What another approver does just before a write. */
  readonly beforeWrite?: (request: CertificateRequest) => 'changed-meanwhile' | undefined;
}

/** A cluster and an account with state, and the calls that were made to them. */
export function fakeContext(world: FakeWorld) {
  const written = new Map<string, Approval>();
  const calls = { instances: 0, groups: 0, returns: 0 };
  const oldestGroups: number[] = [];
  const at = { now };
  const timers = createVirtualClock(now);
  const context: CertificateContext = {
    notify: notifyNothing,
    cluster: {
      listRequests: async () =>
        world.requests.map((request) => {
          const approval = written.get(request.name);
          return approval
            ? { ...request, conditions: [{ ...approval, status: 'True', at: at.now }] }
            : request;
        }),
      getNode: async (name) => {
        if (world.unreadable?.includes(name)) throw new Error(`no answer for ${name}`);
        return world.nodes?.[name];
      },
      approveOrDeny: async (request, approval) => {
        const meanwhile = world.beforeWrite?.(request);
        if (meanwhile) return meanwhile;
        written.set(request.name, approval);
        return 'written';
      },
    },
    instances: {
      find: async (names) => {
        calls.instances += 1;
        return world.instances.filter(({ nodeNames }) => nodeNames.some((name) => names.includes(name)));
      },
      findByIds: async (ids) => world.instances.filter(({ instanceId }) => ids.includes(instanceId)),
    },
    autoScaling: {
      listGroups: async (notBefore = Number.NEGATIVE_INFINITY) => {
        calls.groups += 1;
        oldestGroups.push(notBefore);
        return [groupOf(world)];
      },
      describeInstance: async (id) => {
        const found = world.pooled?.find(({ instanceId }) => instanceId === id);
        return found && { ...found, autoScalingGroupName: 'workers' };
      },
    },
    returnsOf: async () => {
      calls.returns += 1;
      return world.returns ?? new Map();
    },
    clock: { now: () => at.now, after: (delay, task) => timers.after(delay, task) },
    clusterName: 'prod',
    settings,
    read: createReadings(),
    silentNodes: createSilence((name) => name),
    silentRequests: createSilence(({ request }) => request.uid),
  };
  return { context, written, calls, at, oldestGroups };
}

const groupOf = ({ instances, members, groupTags }: FakeWorld): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: groupTags ?? { 'kubernetes.io/cluster/prod': 'owned', 'drover.dev/role': 'worker' },
  minSize: 0,
  maxSize: 1000,
  desiredCapacity: instances.length,
  instances: (members ?? instances).map((member) => ({
    lifecycleState: 'Pending:Wait',
    availabilityZone: 'eu-west-1a',
    healthy: true,
    ...member,
  })),
  targetGroupArns: [],
  retainsAbandoned: false,
});

export function namedInstance(changes: Partial<NamedInstance> = {}): NamedInstance {
  const { group: _, returnedAt: __, ...instance } = instanceFacts();
  return { ...instance, ...changes };
}
