import { placed } from './condition.ts';
import { budgetName, holdingBudgets } from './held.ts';
import type { DashboardState, LeavingView } from './types.ts';
import { clockTime, counted, duration } from './words.ts';

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

const statementsOf = (state: DashboardState): readonly Statement[] => [
  ...alarms(state),
  ...quorum(state),
  ...needsPerson(state),
  ...unknown(state),
  ...failing(state),
  ...short(state),
  ...leaving(state),
  ...joining(state),
  ...waitingPods(state),
];

function allServe({ groups }: DashboardState): Statement {
  const count = placed(groups).filter(({ condition }) => condition === 'serving').length;
  if (count === 0) return { tone: 'good', text: 'No nodes yet' };
  return {
    tone: 'good',
    text: count === 1 ? 'The only node serves' : `All ${count.toLocaleString('en')} nodes serve`,
  };
}

function alarms({ alarms: raised = [], queues = [] }: DashboardState): readonly Statement[] {
  const given = queues.reduce((sum, { deadLetters, visible }) => sum + (deadLetters ? visible : 0), 0);
  return [
    ...(raised.length === 0
      ? []
      : [bad(`${counted(raised.length, 'alarm')}: ${raised.map(({ name }) => name).join(', ')}`)]),
    ...(given === 0
      ? []
      : [bad(`${counted(given, 'message')} given up as dead ${given === 1 ? 'letter' : 'letters'}`)]),
  ];
}

const quorum = ({ etcd }: DashboardState): readonly Statement[] =>
  etcd && etcd.voters > 0 && etcd.servingVoters < etcd.quorum
    ? [bad(`etcd has no quorum: ${etcd.servingVoters} of ${etcd.voters} voters serve`)]
    : [];

/** The first problem, and how many more there are. */
function needsPerson({ problems, etcdStatus }: DashboardState): readonly Statement[] {
  const etcd = etcdStatus?.state === 'attention' ? [bad(`etcd needs a person: ${etcdStatus.reason}`)] : [];
  const [first, ...others] = problems;
  if (!first) return etcd;
  const words = `${first.subject} needs a person: ${first.message}`;
  return [
    ...etcd,
    {
      tone: 'warn',
      text: others.length === 0 ? words : `${words}; and ${counted(others.length, 'more problem')}`,
    },
  ];
}

/** What could not be read comes before what was: the rest may be more than is shown. */
const unknown = ({ unknown: parts }: DashboardState): readonly Statement[] =>
  parts.length === 0
    ? []
    : [{ tone: 'warn', text: `Not everything could be read: ${parts.map(({ what }) => what).join(', ')}` }];

function failing({ groups }: DashboardState): readonly Statement[] {
  const count = placed(groups).filter(({ condition }) => condition === 'failing').length;
  return count === 0
    ? []
    : [{ tone: 'warn', text: `${counted(count, 'node')} in service ${count === 1 ? 'is' : 'are'} not well` }];
}

const short = ({ groups }: DashboardState): readonly Statement[] =>
  groups.flatMap(({ autoScalingGroupName, capacity }) =>
    capacity?.ready !== undefined && capacity.ready < capacity.floor
      ? [
          {
            tone: 'warn',
            text: `${autoScalingGroupName} has ${capacity.ready} of the ${counted(capacity.floor, 'node')} of its floor`,
          },
        ]
      : [],
  );

function leaving({ groups, now }: DashboardState): readonly Statement[] {
  const going = placed(groups).filter(({ condition }) => condition === 'leaving');
  if (going.length === 0) return [];
  const drains = going.flatMap(({ instance }) => instance.node?.leaving ?? []);
  const words =
    drains.length === 0 ? `${counted(going.length, 'instance')} leaving` : drainWords(drains, now);
  const rest = going.length - drains.length;
  const more = drains.length > 0 && rest > 0 ? `, and ${counted(rest, 'instance')} leaving without pods` : '';
  return [{ tone: drains.some(isHeld) ? 'warn' : 'busy', text: `${words}${more}` }];
}

const isHeld = (drain: LeavingView): boolean => holdingBudgets(drain).length > 0;

function drainWords(drains: readonly LeavingView[], now: number): string {
  const longest = duration(now - Math.min(...drains.map(({ since }) => since)));
  const budgets = [...new Set(drains.flatMap(holdingBudgets))].map(budgetName);
  const until = Math.min(...drains.map(({ until: end = Infinity }) => end));
  const held = budgets.length === 0 ? ` for ${longest}` : `, held ${longest} by budget ${budgets.join(', ')}`;
  return `${counted(drains.length, 'node')} draining${held}${until === Infinity ? '' : `; forced at ${clockTime(until, now)}`}`;
}

function joining({ groups }: DashboardState): readonly Statement[] {
  const count = placed(groups).filter(({ condition }) => condition === 'joining').length;
  return count === 0 ? [] : [{ tone: 'busy', text: `${counted(count, 'instance')} joining` }];
}

const waitingPods = ({ waitingPods: { length } = [] }: DashboardState): readonly Statement[] =>
  length === 0 ? [] : [{ tone: 'warn', text: `${counted(length, 'pod')} without a node` }];

const bad = (text: string): Statement => ({ tone: 'bad', text });
