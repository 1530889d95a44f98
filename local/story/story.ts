import { shortNodeName } from './line.ts';
import type { BudgetView, InstanceView, View } from './view.ts';

export interface StoryParts {
  readonly say: (text: string) => void;
  /** Terminates an instance as `terminate-instance-in-auto-scaling-group` does; its group replaces it. */
  readonly terminate: (instanceId: string) => void;
}

/** A story: it gets each view of the sandbox, reports and acts. */
export interface Story {
  look(view: View): void;
  hasEnded(): boolean;
}

/** Time to read the beginning. */
const openingSeconds = 5;

type Chapter =
  | { readonly kind: 'opening'; readonly since?: number }
  | { readonly kind: 'leaving'; readonly instanceId: string; readonly since: number }
  | { readonly kind: 'ended' };

/** One worker leaves. The story ends when its replacement is in service and every pod runs again. */
export function createStory(parts: StoryParts): Story {
  const story = createWorkersStory(parts);
  return { ...story, look: (view) => story.look(workersOf(view)) };
}

function createWorkersStory({ say, terminate }: StoryParts): Story {
  let chapter: Chapter = { kind: 'opening' };
  let fewest: BudgetView | undefined;

  const open = (view: View): Chapter => {
    for (const text of opening(view)) say(text);
    return { kind: 'opening', since: view.at };
  };
  const send = (view: View): Chapter => {
    const chosen = busiestInstance(view);
    if (!chosen) return { kind: 'opening', since: view.at };
    for (const text of farewell(view, chosen)) say(text);
    terminate(chosen.instanceId);
    return { kind: 'leaving', instanceId: chosen.instanceId, since: view.at };
  };
  const end = (view: View, since: number): Chapter => {
    for (const text of ending(view, { since, fewest })) say(text);
    return { kind: 'ended' };
  };

  return {
    look: (view) => {
      if (chapter.kind === 'opening') {
        if (chapter.since === undefined) chapter = open(view);
        else if (view.at - chapter.since >= openingSeconds * 1000) chapter = send(view);
      } else if (chapter.kind === 'leaving') {
        const [budget] = view.budgets;
        if (budget && (!fewest || budget.healthy < fewest.healthy)) fewest = budget;
        if (isOver(view, chapter.instanceId)) chapter = end(view, chapter.since);
      }
    },
    hasEnded: () => chapter.kind === 'ended',
  };
}

/** Without members of etcd, which have no nodes and their own story. */
function workersOf(view: View): View {
  const groups = view.groups.filter(({ role }) => role !== 'etcd');
  const names = new Set(groups.map(({ name }) => name));
  return { ...view, groups, instances: view.instances.filter(({ groupName }) => names.has(groupName)) };
}

const podsAt = (view: View, instanceId: string) => {
  const node = view.nodes.find((one) => one.instanceId === instanceId);
  return view.pods.filter((pod) => node && pod.nodeName === node.name && !pod.daemon);
};

function busiestInstance(view: View): InstanceView | undefined {
  const load = ({ instanceId }: InstanceView): number => podsAt(view, instanceId).length;
  return view.instances
    .filter(({ lifecycleState }) => lifecycleState === 'InService')
    .sort((one, other) => load(other) - load(one))[0];
}

function opening(view: View): readonly string[] {
  const movable = view.pods.filter(({ daemon }) => !daemon);
  const [budget] = view.budgets;
  return [
    `${view.nodes.length} nodes run ${movable.length} pods.${budget ? ` The budget ${budget.name} wants ${budget.desired} of its ${budget.healthy} to stay up.` : ''}`,
    'In a moment one instance will be terminated. Drover drains its node first.',
  ];
}

function farewell(view: View, { instanceId }: InstanceView): readonly string[] {
  const name = view.nodes.find((node) => node.instanceId === instanceId)?.name ?? 'none';
  return [
    `${instanceId} will be terminated, with node ${shortNodeName(name)} and its ${podsAt(view, instanceId).length} pods. The same as:`,
    `  aws autoscaling terminate-instance-in-auto-scaling-group --instance-id ${instanceId} --no-should-decrement-desired-capacity`,
  ];
}

function isOver(view: View, instanceId: string): boolean {
  const inService = view.instances.filter(({ lifecycleState }) => lifecycleState === 'InService');
  return (
    view.instances.every((instance) => instance.instanceId !== instanceId) &&
    inService.length === view.groups.reduce((sum, { desiredCapacity }) => sum + desiredCapacity, 0) &&
    inService.every((instance) => view.nodes.some((node) => node.instanceId === instance.instanceId)) &&
    view.nodes.every(({ ready }) => ready) &&
    view.pods.every(({ ready, terminating, daemon }) => daemon || (ready && !terminating))
  );
}

function ending(
  view: View,
  { since, fewest }: { readonly since: number; readonly fewest: BudgetView | undefined },
): readonly string[] {
  const seconds = Math.round((view.at - since) / 1000);
  const kept = fewest
    ? ` There were never fewer than ${fewest.healthy} healthy ${fewest.name} pods; the budget wants ${fewest.desired}.`
    : '';
  return [`The instance is gone and a new node has taken its place, after ${seconds} s.${kept}`];
}
