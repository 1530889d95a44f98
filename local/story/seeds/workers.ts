import { shortNodeName } from '../line.ts';
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

/** The requests for certificates of the newest node of the group, both approved, and by whom. */
export function certificatesOfNewest({ view }: Pick<Seen, 'view'>): string | undefined {
  const approved = view.requests.filter(({ decision }) => decision?.type === 'Approved');
  const nodes = new Map(view.nodes.map((node) => [node.name, node]));
  const whole = approved.findLast(
    ({ kind, nodeName }) =>
      kind === 'serving' &&
      nodes.get(nodeName)?.ready === true &&
      approved.some((one) => one.kind === 'client' && one.nodeName === nodeName),
  );
  return whole === undefined
    ? undefined
    : `the client certificate and the serving certificate of ${shortNodeName(whole.nodeName)} are approved: ${whole.decision?.message}`;
}
