import { shortNodeName } from '../line.ts';
import type { RequestView } from '../request-view.ts';
import type { GroupView, InstanceView, View } from '../view.ts';
import type { Seen, Step } from './step.ts';

/** The first group of workers, which every story scales. */
export function workersIn({ groups }: View): GroupView {
  const found = groups.find(({ role }) => role === 'worker');
  if (!found) throw new Error('the sandbox has no group of workers');
  return found;
}

const inGroup = ({ instances }: View, group: string): readonly InstanceView[] =>
  instances.filter(({ groupName }) => groupName === group);

/** The instances of the group that are in service with a Ready node that takes pods. */
export function readyIn(view: View, group: string): readonly InstanceView[] {
  const ready = new Set(view.nodes.filter((one) => one.ready && !one.cordoned).map((one) => one.instanceId));
  return inGroup(view, group).filter(
    ({ instanceId, lifecycleState }) => lifecycleState === 'InService' && ready.has(instanceId),
  );
}

/** Each group of workers has its nodes: a story may begin. */
export const isSteady = (view: View): boolean =>
  view.groups
    .filter(({ role }) => role === 'worker')
    .every(({ name, desiredCapacity }) => readyIn(view, name).length === desiredCapacity);

/** `drover scale` by so many nodes, until they are Ready or gone. */
export function scaleBy(change: number, words: Pick<Step, 'author' | 'drover'>): Step {
  return {
    ...words,
    command: (view) => {
      const { name, desiredCapacity } = workersIn(view);
      return `scale ${name} ${desiredCapacity + change}`;
    },
    see: ({ before, view, seconds }) => {
      const { name, desiredCapacity } = workersIn(before);
      const wanted = desiredCapacity + change;
      const isThere =
        readyIn(view, name).length === wanted && inGroup(view, name).length === wanted && settled(view);
      return isThere
        ? `${wanted} nodes of ${name} are Ready after ${seconds} s, and no other instance is in the group`
        : undefined;
    },
    withinSeconds: 600,
  };
}

const settled = ({ nodes }: View): boolean => nodes.every(({ ready }) => ready);

/** Raises the number of nodes for a time, ahead of the pods. */
export function holdOneMore(words: Pick<Step, 'author' | 'drover'>): Step {
  const wantedIn = (view: View): number => workersIn(view).desiredCapacity + 1;
  return {
    ...words,
    command: (view) => `hold create ${workersIn(view).name} ${wantedIn(view)} --for 10m --name story`,
    see: ({ before, view, seconds }) => {
      const { name, minSize } = workersIn(view);
      const wanted = wantedIn(before);
      return minSize === wanted && readyIn(view, name).length === wanted
        ? `MinSize of ${name} is ${wanted}, and ${wanted} nodes are Ready after ${seconds} s. The hold ends by itself in ten minutes`
        : undefined;
    },
    withinSeconds: 600,
  };
}

/** An instance is terminated; its group replaces it. */
export function replaceOne(words: Pick<Step, 'author' | 'drover'>): Step {
  return {
    ...words,
    hand: {
      types: (view) =>
        `aws autoscaling terminate-instance-in-auto-scaling-group --instance-id ${leaver(view)} --no-should-decrement-desired-capacity`,
      does: ({ cloud }, view) =>
        cloud.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
          InstanceId: leaver(view),
          ShouldDecrementDesiredCapacity: false,
        }),
    },
    see: ({ before, view, seconds }) => {
      const { name, desiredCapacity } = workersIn(view);
      const gone = view.instances.every(({ instanceId }) => instanceId !== leaver(before));
      return gone && readyIn(view, name).length === desiredCapacity && podsRun(view)
        ? `${leaver(before)} is gone, another one is Ready after ${seconds} s, and each pod runs`
        : undefined;
    },
    withinSeconds: 900,
  };
}

const leaver = (view: View): string => readyIn(view, workersIn(view).name)[0]?.instanceId ?? '';

const podsRun = ({ pods }: View): boolean =>
  pods.every(({ ready, terminating, daemon }) => daemon || (ready && !terminating));

/**
 * Both certificates of the node that asked to join last, approved by Drover, and why.
 *
 * @returns undefined until that node is Ready with both; what an older node has does not count
 */
export function certificatesOfNewest({ view }: Pick<Seen, 'view'>): string | undefined {
  const newest = view.requests.findLast(joins)?.nodeName;
  const approved = view.requests.filter(
    ({ nodeName, decision }) => nodeName === newest && decision?.reason === 'DroverApproved',
  );
  const client = approved.find(({ kind }) => kind === 'client');
  const serving = approved.find(({ kind }) => kind === 'serving');
  const isReady = view.nodes.some(({ name, ready }) => name === newest && ready);
  return newest !== undefined && client && serving && isReady
    ? `the client certificate and the serving certificate of ${shortNodeName(newest)} are approved: ${serving.decision?.message}`
    : undefined;
}

/** A renewal comes from the node itself, and a request that is denied from no node. */
const joins = ({ kind, nodeName, requester, decision }: RequestView): boolean =>
  kind === 'client' && requester !== `system:node:${nodeName}` && decision?.type !== 'Denied';
