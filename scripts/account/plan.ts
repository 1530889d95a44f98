import { type Policy, policyFor } from './policy.ts';
import { type Price, prices } from './prices.ts';
import { cleanUpMinutes, type Item, minutesOf, type Suite } from './suites.ts';

/** Without `--max-dollars` a run may cost at most this. */
export const usualMaximumDollars = 10;

interface PlannedItem extends Item {
  readonly unit: Price['unit'];
  readonly unitPrice: number;
  readonly source: string;
  readonly dollars: number;
}

/** What a run would make, for how long, with which rights, and what it can cost at most. */
export interface Plan {
  readonly suites: readonly Pick<Suite, 'name' | 'about' | 'files' | 'minutes' | 'makes'>[];
  /** After this time the run has ended its suites and cleaned up, or says what is left. */
  readonly minutes: number;
  readonly items: readonly PlannedItem[];
  readonly dollars: number;
  readonly maximumDollars: number;
  /** The upper bound is above the maximum: nothing may run. */
  readonly isRefused: boolean;
  readonly policy: Policy;
}

export interface PlanRequest {
  readonly suites: readonly Suite[];
  readonly region: string | undefined;
  readonly maximumDollars: number;
}

function priced(item: Item): PlannedItem {
  const { dollars: unitPrice, unit, source } = prices[item.price];
  return { ...item, unit, unitPrice, source, dollars: item.count * item.unitsEach * unitPrice };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Decides from the suites only: no account is asked. */
export function planRun({ suites, region, maximumDollars }: PlanRequest): Plan {
  const items = suites.flatMap((suite) => suite.items).map(priced);
  const dollars = sum(items.map((item) => item.dollars));
  return {
    suites: suites.map((suite) => {
      const { name, about, files, makes } = suite;
      return { name, about, files, minutes: minutesOf(suite), makes };
    }),
    minutes: sum(suites.map(minutesOf)) + cleanUpMinutes,
    items,
    dollars,
    maximumDollars,
    isRefused: dollars > maximumDollars,
    policy: policyFor(suites, region),
  };
}

const amount = (dollars: number): string => `$${(Math.ceil(dollars * 100) / 100).toFixed(2)}`;

/** The plan for a terminal. */
export function renderPlan(plan: Plan): string {
  const { suites, items, minutes, dollars, maximumDollars, isRefused, policy } = plan;
  const lines = [
    ...suites.flatMap(({ name, about, makes, minutes: limit, files }) => [
      `Suite ${name}: ${about}`,
      `It ends after at most ${limit} minutes. It makes:`,
      ...makes.map((what) => `  - ${what}`),
      ...(files.length > 0 ? ['Its cases:'] : []),
      ...files.map((file) => `  ${file}`),
      '',
    ]),
    'The most that it can cost, at prices above those of every commercial region:',
    ...items.map(
      ({ what, count, unitsEach, unit, unitPrice, dollars: cost, source }) =>
        `  ${amount(cost)}  ${count} x ${what}, ${unitsEach.toPrecision(2)} ${unit} each at ${unitPrice} (${source})`,
    ),
    `  ${amount(dollars)}  in total, within ${minutes} minutes, clean-up included`,
    '',
    'The IAM policy that it needs:',
    JSON.stringify(policy, undefined, 2),
    '',
  ];
  const refusal = `Refused: ${amount(dollars)} is more than ${amount(maximumDollars)}. Choose fewer suites, or allow it with --max-dollars ${Math.ceil(dollars)}.\n`;
  return `${lines.join('\n')}${isRefused ? `\n${refusal}` : ''}`;
}
