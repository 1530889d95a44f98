import { type Line, type Speaker, shortNodeName, type Told } from './line.ts';
import { narrateEtcd } from './narrate-etcd.ts';
import { tellRequest } from './narrate-request.ts';
import type { GroupView, InstanceView, NodeView, PodView, View } from './view.ts';

/** The changes between two views of the sandbox, in words: first AWS, then certificate requests, the nodes, the pods, and etcd. */
export function narrate(before: View, after: View): readonly Line[] {
  const told = [
    ...compare(before.groups, after.groups, { key: ({ name }) => name, tell: tellGroup }),
    ...compare(before.instances, after.instances, {
      key: ({ instanceId }) => instanceId,
      tell: tellInstance,
    }),
    ...compare(before.requests, after.requests, { key: ({ name }) => name, tell: tellRequest }),
    ...compare(before.nodes, after.nodes, { key: ({ name }) => name, tell: tellNode }),
    ...compare(before.pods, after.pods, { key: ({ uid }) => uid, tell: tellPod }),
    ...narrateEtcd(before.etcd, after.etcd),
  ];
  return told.map(([speaker, text]) => ({ at: after.at, speaker, text }));
}

interface Comparison<Thing> {
  readonly key: (thing: Thing) => string;
  /** At least one of the two is set. */
  readonly tell: (was: Thing | undefined, is: Thing | undefined) => readonly Told[];
}

function compare<Thing>(
  before: readonly Thing[],
  after: readonly Thing[],
  { key, tell }: Comparison<Thing>,
): readonly Told[] {
  const earlier = new Map(before.map((thing) => [key(thing), thing]));
  const later = new Map(after.map((thing) => [key(thing), thing]));
  const keys = new Set([...earlier.keys(), ...later.keys()]);
  return [...keys].flatMap((one) => tell(earlier.get(one), later.get(one)));
}

/** New and deleted groups show in the lines of their instances. */
function tellGroup(was: GroupView | undefined, is: GroupView | undefined): readonly Told[] {
  if (!was || !is) return [];
  return [
    ...told(
      'aws',
      was.minSize !== is.minSize && `MinSize of ${is.name} is ${is.minSize} (was ${was.minSize})`,
    ),
    ...told(
      'aws',
      was.maxSize !== is.maxSize && `MaxSize of ${is.name} is ${is.maxSize} (was ${was.maxSize})`,
    ),
  ];
}

const states: Readonly<Record<string, string>> = {
  'Terminating:Wait': 'waits for its lifecycle hooks',
  'Terminating:Proceed': 'the hooks are completed, EC2 shuts it down',
  'Pending:Wait': 'waits for its lifecycle hooks',
};

function tellInstance(was: InstanceView | undefined, is: InstanceView | undefined): readonly Told[] {
  if (!is) return [['aws', `${was?.instanceId} is gone from ${was?.groupName}`]];
  if (was?.lifecycleState === is.lifecycleState) return [];
  const meaning = states[is.lifecycleState];
  const words = `${is.instanceId} is ${is.lifecycleState}${meaning ? `: ${meaning}` : ''}`;
  return [['aws', was ? words : `${words}, new in ${is.groupName}`]];
}

function tellNode(was: NodeView | undefined, is: NodeView | undefined): readonly Told[] {
  const name = shortNodeName(is?.name ?? was?.name ?? '');
  if (!is) return [['node', `${name} is deleted from the cluster`]];
  const seen = new Set(was?.waitingFor);
  const waits = is.waitingFor?.filter((line) => !seen.has(line)) ?? [];
  return [
    ...told('node', !was && `${name} joins the cluster`),
    ...told('node', is.ready && !was?.ready && `${name} is Ready`),
    ...told('node', was?.ready === true && !is.ready && `${name} is no longer Ready`),
    ...told('node', is.cordoned && !was?.cordoned && `${name} is cordoned`),
    ...told('node', was?.cordoned === true && !is.cordoned && `${name} is uncordoned`),
    ...waits.map((line): Told => ['node', `${name} still waits for ${line}`]),
  ];
}

/** Pods of DaemonSets start and end with their node, so they get no line. */
function tellPod(was: PodView | undefined, is: PodView | undefined): readonly Told[] {
  const pod = is ?? was;
  if (!pod || pod.daemon) return [];
  const where = pod.nodeName ? ` on ${shortNodeName(pod.nodeName)}` : '';
  if (!is) return [['pod', `${pod.name} has ended${where}`]];
  return [
    ...told('pod', is.terminating && !was?.terminating && `${is.name} is terminating${where}`),
    ...told('pod', !was && !is.nodeName && `${is.name} is created in its place, and waits for a node`),
    ...told('pod', Boolean(is.nodeName) && !was?.nodeName && !is.ready && `${is.name} starts${where}`),
    ...told('pod', is.ready && !was?.ready && `${is.name} is ready${where}`),
  ];
}

const told = (speaker: Speaker, text: string | false): readonly Told[] =>
  text === false ? [] : [[speaker, text]];
