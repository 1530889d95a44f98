import type { CallInFlight, Weather } from '@drover/cloud-sandbox';
import type { DroverWorld } from '../../local/world/drover-world.ts';

interface Request {
  readonly what: string;
  /** How many passes had ended when it began. */
  readonly pass: number;
  /** How many requests of its pass, each begun after the end of another one, end with it. */
  readonly row: number;
  readonly endsAt: number;
}

const answerMilliseconds = 1000;

/** The requests of a pass in rows: those of a row begin after one of the row before has ended, and at the same time as each other. */
export type Rows = readonly string[];

/**
 * Lets each request of a function take a second, and records which of them begin only after another one has ended. That shows how long a
 * pass takes if answers are slow, whatever they take: the rows of a pass, times the time of an answer.
 */
export function recordRows(functionName: string) {
  const requests: Request[] = [];
  let world: DroverWorld | undefined;
  const begin = ({ caller, what }: CallInFlight): number => {
    if (!world || caller !== functionName) return 0;
    const pass = endedPasses(world, functionName) - (isOfEndedPass(what) ? 1 : 0);
    const now = world.clock.now();
    const before = requests.filter((one) => one.pass === pass && one.endsAt <= now);
    const row = 1 + Math.max(0, ...before.map((one) => one.row));
    requests.push({ what: shortened(what), pass, row, endsAt: now + answerMilliseconds });
    return answerMilliseconds;
  };
  const weather: Weather = { latencyMilliseconds: (call) => ({ afterMilliseconds: begin(call) }) };
  return {
    weather,
    /** Records from now on. */
    start: (of: DroverWorld): void => void (world = of),
    /** The rows of each pass, in order. */
    passes: (): readonly Rows[] =>
      [...Map.groupBy(requests, ({ pass }) => pass).values()].map((ofPass) =>
        [...Map.groupBy(ofPass, ({ row }) => row).entries()]
          .toSorted(([one], [other]) => one - other)
          .map(([, row]) => counted(row.map(({ what }) => what))),
      ),
  };
}

const endedPasses = ({ lines }: DroverWorld, name: string): number =>
  lines.filter(({ functionName, message }) => functionName === name && message === 'pass').length;

/** After the line of its pass, a message is hidden until the next one. */
const isOfEndedPass = (what: string): boolean => what.startsWith('sqs ChangeMessageVisibility');

const shortened = (what: string): string =>
  what
    .replace(/\?.*/, '')
    .replace(/ \/apis?\/(v1|[\w.]+\/v1)\//, ' ')
    .replace(/namespaces\/\w+\//, '')
    .replace(/(nodes|pods|certificatesigningrequests)\/[\w.-]+/, '$1/*')
    .replace(/^autoscaling /, '');

const counted = (all: readonly string[]): string =>
  [...Map.groupBy(all, (what) => what).entries()]
    .map(([what, { length }]) => (length > 1 ? `${length} ${what}` : what))
    .toSorted()
    .join(', ');
