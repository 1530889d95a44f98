import { liveLifetime } from '../../support/lifetimes/lifetime.ts';
import { isLong } from '../../support/lifetimes/plan/long.ts';
import { type LifetimePlan, planLifetime } from '../../support/lifetimes/plan/plan.ts';
import type { PlantedBug } from './planted-bug.ts';
import type { SearchSettings } from './settings.ts';

/** The first of these lifetimes that finds the bug, and the rule by which it does; undefined if none does. */
export async function findIn(
  { sabotage, foundBy }: PlantedBug,
  plans: readonly LifetimePlan[],
): Promise<{ readonly plan: LifetimePlan; readonly rule: string } | undefined> {
  for (const plan of plans) {
    const { violation } = await liveLifetime(plan.seed, { sabotage, plan });
    if (violation && foundBy.includes(violation.rule)) return { plan, rule: violation.rule };
  }
  return undefined;
}

/** The lifetimes that are known to show the bug. */
export const knownPlans = ({ plan, foundIn }: PlantedBug): readonly LifetimePlan[] => [
  ...(plan ? [plan] : []),
  ...foundIn.map(planLifetime),
];

/** Plans are cheap, and lifetimes are not: so many plans are looked at for each lifetime. */
const plansForEach = 100;

/** The first lifetimes that could find the bug and have not been lived for it. A lifetime with a wait of hours takes too long. */
export function plansToSearch(
  { foundIn, where = () => true }: PlantedBug,
  { firstSeed, count }: SearchSettings,
): readonly LifetimePlan[] {
  const plans: LifetimePlan[] = [];
  for (let seed = firstSeed; plans.length < count && seed < firstSeed + count * plansForEach; seed += 1) {
    const plan = planLifetime(seed);
    if (!isLong(seed) && !foundIn.includes(seed) && where(plan)) plans.push(plan);
  }
  return plans;
}

/** What to do if no lifetime finds the bug. */
export const howToGoOn = ({ name, foundIn, foundBy }: PlantedBug, { count }: SearchSettings): string =>
  [
    `neither the known lifetimes (${foundIn.join(', ')}) nor ${count} others that could find it break ${foundBy.join(' or ')}.`,
    'Look in more of them, and name in foundIn which find it:',
    `  PLANTED_COUNT=200 npm run test:heavy -- test/heavy/lifetimes/planted-bugs.test.ts -t ${JSON.stringify(name)}`,
    'If these are rare, the plans draw its situation too rarely by now: raise its share in test/support/lifetimes/plan.',
  ].join('\n');
