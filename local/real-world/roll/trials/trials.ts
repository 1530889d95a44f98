import { abortAtEachStep } from './abort.ts';
import { canaryThatNeverJoins, canaryWhosePodsCrash } from './canary.ts';
import { apiServerAway, budgetThatBlocks, templateThatChanges } from './held.ts';
import { type TrialStage, untilWhole, want } from './stage.ts';

/** Something that fails in the middle of a roll. */
interface Trial {
  /** What is true of a roll then: the title of its test. */
  readonly claim: string;
  /** @throws Error with what is not so */
  readonly run: (stage: TrialStage) => Promise<void>;
}

/** By the names that `npm run world -- --roll --trial NAME` takes. */
export const trials = {
  abort: {
    claim: 'an abort at each step leaves nothing on nodes that stay',
    run: abortAtEachStep,
  },
  budget: {
    claim: 'a budget that allows nothing for a while holds the roll, which goes on by itself',
    run: budgetThatBlocks,
  },
  template: {
    claim: 'a template that changes pauses the roll until people ask for the new version',
    run: templateThatChanges,
  },
  crash: {
    claim: 'a canary whose pods crash stops the roll, and the old nodes are free again',
    run: canaryWhosePodsCrash,
  },
  join: {
    claim: 'a canary that never joins costs one old instance, which keeps its pods',
    run: canaryThatNeverJoins,
  },
  away: {
    claim: 'a roll goes on after the API server was away',
    run: apiServerAway,
  },
} as const satisfies Readonly<Record<string, Trial>>;

export type TrialName = keyof typeof trials;

export const isTrialName = (text: string): text is TrialName => Object.hasOwn(trials, text);

/** Runs a trial on a whole group. @throws Error with what is not so, or with the Services that had no endpoint meanwhile */
export async function runTrial(stage: TrialStage, name: TrialName): Promise<void> {
  const { rolling } = stage;
  await untilWhole(stage);
  rolling.endpoints.begin();
  const telling = tellReasons(stage);
  try {
    await trials[name].run(stage);
    await untilWhole(stage);
  } catch (error) {
    // The next trial would be refused otherwise.
    for (const roll of stage.rolls) if (rolling.seen(roll)?.state !== 'done') want(stage, roll, 'aborted');
    throw error;
  } finally {
    telling.stop();
  }
  const gaps = rolling.endpoints.gaps().map(({ service, milliseconds }) => `${service} ${milliseconds} ms`);
  stage.say(`${name}: gaps: ${gaps.join(', ') || 'none'}`);
  if (gaps.length > 0) throw new Error(`Services without a ready endpoint: ${gaps.join(', ')}`);
}

/** Says each new reason of each roll. */
function tellReasons({ rolling, rolls, say }: TrialStage): { stop(): void } {
  const told = new Map<string, string>();
  const timer = setInterval(() => {
    for (const name of rolls) {
      const { reason } = rolling.seen(name) ?? {};
      if (reason === undefined || told.get(name) === reason) continue;
      told.set(name, reason);
      say(`${name}: ${reason}`);
    }
  }, 250);
  return { stop: () => clearInterval(timer) };
}
