import { type Condition, needsNode, type Placed, placed } from './condition.ts';
import { drainSentence } from './drain-sentence.ts';
import { failureOf } from './failure.ts';
import { problemWords } from './problem-words.ts';
import type { DashboardState } from './types.ts';
import { sized, unitsOf } from './units.ts';
import { counted } from './words.ts';

export type Tone = 'good' | 'busy' | 'warn' | 'bad';

export interface Statement {
  readonly tone: Tone;
  readonly text: string;
}

export interface Headline extends Statement {
  /** What is so besides, in the order of its weight. */
  readonly more: readonly Statement[];
}

const weight: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, busy: 2, good: 3 };

/** The state of everything in a sentence, and what is so besides. */
export function headlineOf(state: DashboardState): Headline {
  const [first = allServe(state), ...more] = statementsOf(state).toSorted(
    (one, other) => weight[one.tone] - weight[other.tone],
  );
  return { ...first, more };
}

/** The problems that can be found without the instances. */
export const badTexts = (state: DashboardState): readonly string[] =>
  [...quorum(state), ...needsPerson(state)].filter(({ tone }) => tone === 'bad').map(({ text }) => text);

const statementsOf = (state: DashboardState): readonly Statement[] => [
  ...quorum(state),
  ...needsPerson(state).filter(({ tone }) => tone === 'bad'),
  ...noGroup(state),
  ...unknown(state),
  ...needsPerson(state).filter(({ tone }) => tone !== 'bad'),
  ...failing(state),
  ...short(state),
  ...leaving(state),
  ...joining(state),
  ...lacking(state),
  ...paused(state),
  ...cordoned(state),
  ...waitingPods(state),
];

function allServe({ groups }: DashboardState): Statement {
  const serving = those(groups, 'serving');
  const nodes = serving.filter(({ group }) => needsNode(group)).length;
  const members = serving.length - nodes;
  const words = [
    ...(nodes === 0 ? [] : [nodes === 1 ? 'The only node serves' : `All ${counted(nodes, 'node')} serve`]),
    ...(members === 0
      ? []
      : [`${counted(members, 'member')} of etcd ${members === 1 ? 'is' : 'are'} in service`]),
  ];
  return { tone: 'good', text: words.join(', and ') || 'No nodes yet' };
}

/** The instances in a condition. */
const those = (groups: DashboardState['groups'], condition: Condition): readonly Placed[] =>
  placed(groups).filter((one) => one.condition === condition);

/** A name or region that was mistyped looks like an account without nodes. */
const noGroup = ({
  source,
  groups,
  unknown: parts,
  clusterName = '',
}: DashboardState): readonly Statement[] =>
  source === 'account' && groups.length === 0 && parts.length === 0
    ? [
        warn(
          `Drover manages no Auto Scaling group of the cluster ${clusterName} here: check its name, the region and the tags`,
        ),
      ]
    : [];

function quorum({ etcd }: DashboardState): readonly Statement[] {
  if (!etcd || etcd.servingVoters >= etcd.quorum) return [];
  return [
    bad(
      etcd.voters === 0
        ? 'No member of etcd runs'
        : `etcd has no quorum: ${etcd.servingVoters} of ${etcd.voters} voters serve`,
    ),
  ];
}

/** The first problem, and how many more there are. */
function needsPerson({ problems, etcdStatus }: DashboardState): readonly Statement[] {
  const isListed = problems.some(({ kind }) => kind === 'etcd');
  const etcd =
    etcdStatus?.state === 'attention' && !isListed
      ? [bad(`etcd needs an operator: ${etcdStatus.reason}`)]
      : [];
  const [first, ...others] = problems;
  if (!first) return etcd;
  const { title: words } = problemWords(first);
  return [
    ...etcd,
    {
      tone: first.severity === 'critical' ? 'bad' : 'warn',
      text: others.length === 0 ? words : `${words}; and ${counted(others.length, 'more problem')}`,
    },
  ];
}

/** What could not be read comes before what was: the rest may be more than is shown. */
const unknown = ({ unknown: parts }: DashboardState): readonly Statement[] =>
  parts.length === 0
    ? []
    : [{ tone: 'warn', text: `Not everything could be read: ${parts.map(({ what }) => what).join(', ')}` }];

/** The first one, and how many more there are. */
function failing({ groups }: DashboardState): readonly Statement[] {
  const [first, ...others] = those(groups, 'failing');
  if (!first) return [];
  const words = `${first.instance.instanceId} is in service and not well: ${failureOf(first.instance)}`;
  // Members of etcd are not nodes.
  return [warn(others.length === 0 ? words : `${words}; and ${others.length.toLocaleString('en')} more`)];
}

const short = ({ groups }: DashboardState): readonly Statement[] =>
  groups.flatMap(({ autoScalingGroupName, capacity, countsUnits }) =>
    capacity?.ready !== undefined && capacity.ready < capacity.floor
      ? [
          {
            tone: 'warn',
            text: `${autoScalingGroupName} has ${capacity.ready} of the ${sized({ countsUnits }, capacity.floor, 'node')} of its floor`,
          },
        ]
      : [],
  );

function leaving({ groups, now }: DashboardState): readonly Statement[] {
  const going = those(groups, 'leaving');
  if (going.length === 0) return [];
  const drains = going.flatMap(({ instance }) => instance.node?.leaving ?? []);
  if (drains.length === 0) return [busy(`${counted(going.length, 'instance')} leaving`)];
  const { text, isHeld } = drainSentence(drains, now);
  const rest = going.length - drains.length;
  const more = rest === 0 ? '' : `, and ${counted(rest, 'instance')} leaving without pods`;
  return [{ tone: isHeld ? 'warn' : 'busy', text: `${text}${more}` }];
}

function joining({ groups }: DashboardState): readonly Statement[] {
  const { length } = those(groups, 'joining');
  return length === 0 ? [] : [busy(`${counted(length, 'instance')} joining`)];
}

/** An instance that leaves still has its place: Auto Scaling launches another one meanwhile. */
const lacking = ({ groups }: DashboardState): readonly Statement[] =>
  groups.flatMap((group) => {
    const { autoScalingGroupName: name, desiredCapacity, instances, instancesUnknown } = group;
    const aside = new Set(those([group], 'aside').map(({ instance }) => instance));
    const present = unitsOf(
      group,
      instances.filter((instance) => !aside.has(instance)),
    );
    return present === undefined || present >= desiredCapacity || instancesUnknown
      ? []
      : [
          warn(
            `${name} lacks ${desiredCapacity - present} of its ${sized(group, desiredCapacity, 'desired instance')}: its scaling activities say why`,
          ),
        ];
  });

const paused = ({ groups }: DashboardState): readonly Statement[] => {
  const names = groups.flatMap((group) => (group.paused === undefined ? [] : [group.autoScalingGroupName]));
  return names.length === 0
    ? []
    : [warn(`Paused: ${names.join(', ')}. Drover drains and joins nothing there`)];
};

function cordoned({ groups }: DashboardState): readonly Statement[] {
  const { length } = those(groups, 'cordoned');
  return length === 0 ? [] : [busy(`${counted(length, 'node')} cordoned: no new pods come`)];
}

const waitingPods = ({ waitingPods: { length } = [] }: DashboardState): readonly Statement[] =>
  length === 0 ? [] : [{ tone: 'warn', text: `${counted(length, 'pod')} without a node` }];

const bad = (text: string): Statement => ({ tone: 'bad', text });
const warn = (text: string): Statement => ({ tone: 'warn', text });
const busy = (text: string): Statement => ({ tone: 'busy', text });
