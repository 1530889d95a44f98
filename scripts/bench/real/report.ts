import Table from 'cli-table3';
import { median, rounded } from '../figure.ts';
import type { Outcome } from './measure.ts';

interface Times {
  readonly firstSeconds: number;
  readonly medianSeconds: number;
  readonly lastSeconds: number;
}

type Peer = Pick<Outcome, 'seconds' | 'apiRequestsPerNode' | 'lost'>;

type Troubled = Pick<Outcome, 'lost' | 'completedWithPodsLeft' | 'seconds'>;

/** What a run found; a part that was not asked for is not there. */
export interface RealReport {
  readonly nodes: number;
  readonly podsPerNode: number;
  readonly seconds?: number;
  readonly apiRequestsPerNode?: number;
  readonly awsCallsPerNode?: number;
  readonly completedWithPodsLeft?: number;
  readonly lost?: number;
  readonly kubectl?: Peer;
  readonly nth?: Peer & Pick<Outcome, 'awsCallsPerNode'>;
  /** `control`: without the stuck nodes; `sameLoad`: with as many that are not stuck in their stead. */
  readonly stuck?: { readonly others: Times; readonly control: Times; readonly sameLoad: Times };
  readonly outage?: Troubled;
  readonly hang?: Troubled;
  readonly killed?: Troubled;
}

export const timesOf = ({ nodeSeconds }: Outcome): Times => ({
  firstSeconds: hundredths(nodeSeconds[0] ?? Number.NaN),
  medianSeconds: hundredths(median(nodeSeconds)),
  lastSeconds: hundredths(nodeSeconds.at(-1) ?? Number.NaN),
});

export const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** The figures of an outcome with these names, as they are reported. */
export const figuresOf = <Name extends Exclude<keyof Outcome, 'nodeSeconds'>>(
  outcome: Outcome,
  ...names: readonly Name[]
): Pick<Outcome, Name> =>
  Object.fromEntries(names.map((name) => [name, hundredths(outcome[name])])) as Pick<Outcome, Name>;

/** A table to read: name, value, and the maximum if there is a goal. */
export function table(report: RealReport): string {
  const lines = new Table({
    head: ['figure', 'value', 'goal', ''],
    colAligns: ['left', 'right', 'right', 'left'],
    style: { head: [], border: [] },
  });
  for (const [name, value, goal] of linesOf(report))
    lines.push([name, rounded(value), goal === undefined ? '' : `<= ${goal}`, verdict(value, goal)]);
  return lines.toString();
}

const verdict = (value: number, goal: number | undefined): string =>
  goal === undefined ? '' : value <= goal ? 'met' : 'missed';

type Line = readonly [name: string, value: number, goal?: number];

function linesOf({ seconds, kubectl, nth, stuck, ...report }: RealReport): readonly Line[] {
  const lines: (Line | undefined)[] = [
    seconds === undefined ? undefined : ['Drover: seconds', seconds],
    maybe('Drover: API requests a node', report.apiRequestsPerNode, 16),
    maybe('Drover: AWS calls a node', report.awsCallsPerNode, 5),
    maybe('Drover: nodes completed with pods left', report.completedWithPodsLeft, 0),
    maybe('Drover: nodes lost', report.lost, 0),
    maybe('ten kubectl drains: seconds', kubectl?.seconds),
    maybe('ten kubectl drains: API requests a node', kubectl?.apiRequestsPerNode),
    maybe('ten kubectl drains: nodes lost', kubectl?.lost),
    maybe('NTH: seconds', nth?.seconds),
    maybe('NTH: API requests a node', nth?.apiRequestsPerNode),
    maybe('NTH: AWS calls a node', nth?.awsCallsPerNode),
    maybe('NTH: nodes lost', nth?.lost),
    maybe('Drover against kubectl', ratio({ seconds, lost: report.lost }, kubectl), 0.6),
    maybe('Drover against NTH', ratio({ seconds, lost: report.lost }, nth), 0.15),
    maybe('others beside stuck nodes: median seconds', stuck?.others.medianSeconds),
    maybe('the same without stuck nodes: median seconds', stuck?.control.medianSeconds),
    maybe('beside as many that are not stuck: median seconds', stuck?.sameLoad.medianSeconds),
    maybe('others beside stuck nodes: last seconds', stuck?.others.lastSeconds),
    maybe('the same without stuck nodes: last seconds', stuck?.control.lastSeconds),
    maybe('beside as many that are not stuck: last seconds', stuck?.sameLoad.lastSeconds),
    ...troubleLines('API server away for 30 s', report.outage),
    ...troubleLines('API server hangs for 60 s', report.hang),
    ...troubleLines('functions killed in mid-pass', report.killed),
  ];
  return lines.filter((line) => line !== undefined);
}

const troubleLines = (name: string, troubled: Troubled | undefined): readonly (Line | undefined)[] => [
  maybe(`${name}: nodes lost`, troubled?.lost, 0),
  maybe(`${name}: completed with pods left`, troubled?.completedWithPodsLeft, 0),
  maybe(`${name}: seconds`, troubled?.seconds),
];

const maybe = (name: string, value: number | undefined, goal?: number): Line | undefined =>
  value === undefined ? undefined : goal === undefined ? [name, value] : [name, value, goal];

/** Undefined if one of them has lost nodes: the time of the rest says nothing about all. */
function ratio(one: Partial<Peer>, other: Partial<Peer> | undefined): number | undefined {
  if (one.lost !== 0 || other?.lost !== 0) return undefined;
  return one.seconds === undefined || other.seconds === undefined ? undefined : one.seconds / other.seconds;
}
