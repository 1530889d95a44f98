import { type Condition, type Placed, placed } from './condition.ts';
import { failureOf } from './failure.ts';
import { badTexts } from './headline.ts';
import { budgetName, holdingBudgets } from './held.ts';
import type { DashboardState } from './types.ts';

/** A screen reader should not read more changes at once. */
const maximum = 3;

/** What has happened between two states, in sentences for a screen reader: first what is bad. Pure. */
export function announcements(previous: DashboardState, next: DashboardState): readonly string[] {
  const before = instancesOf(previous);
  const after = instancesOf(next);
  const said = [
    ...badNews(previous, next),
    ...[...after].flatMap(([instanceId, one]) => instanceNews(before.get(instanceId), one)),
    ...[...before.keys()]
      .filter((instanceId) => !after.has(instanceId))
      .map((id) => `${id} has left its group`),
  ];
  return said.length <= maximum
    ? said
    : [...said.slice(0, maximum), `and ${said.length - maximum} more changes`];
}

const instancesOf = ({ groups }: DashboardState): ReadonlyMap<string, Placed> =>
  new Map(placed(groups).map((one) => [one.instance.instanceId, one]));

/** Alarms, dead letters, a quorum that is lost. */
function badNews(previous: DashboardState, next: DashboardState): readonly string[] {
  const former = new Set(badTexts(previous));
  return badTexts(next).filter((text) => !former.has(text));
}

const words: Readonly<Record<Condition, string>> = {
  leaving: 'is leaving',
  joining: 'is joining',
  failing: 'is not well',
  cordoned: 'is cordoned',
  aside: 'is aside',
  serving: 'serves',
};

function instanceNews(before: Placed | undefined, after: Placed): readonly string[] {
  const { instance, condition } = after;
  if (before?.instance === instance) return [];
  const budgets = budgetsOf(after);
  const why = condition === 'failing' ? `: ${failureOf(instance)}` : '';
  return [
    ...(before?.condition === condition ? [] : [`${instance.instanceId} ${words[condition]}${why}`]),
    ...(budgets.length === 0 || (before && budgetsOf(before).length > 0)
      ? []
      : [`${instance.instanceId} is held by budget ${budgets.map(budgetName).join(', ')}`]),
  ];
}

const budgetsOf = ({ instance: { node } }: Placed): readonly string[] =>
  node?.leaving ? holdingBudgets(node.leaving) : [];
