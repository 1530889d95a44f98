import { setTimeout as sleep } from 'node:timers/promises';
import {
  begin,
  idsOf,
  leavingIn,
  members,
  nodesOf,
  type TrialStage,
  untilClean,
  untilState,
  untilWhole,
  want,
} from './stage.ts';

/** When a roll is aborted. Its name is that of the roll. */
interface Moment {
  readonly name: string;
  /** `before`: the instances before the roll. */
  readonly isThere: (stage: TrialStage, before: readonly string[]) => boolean | Promise<boolean>;
}

const someNode =
  (trace: string): Moment['isThere'] =>
  async (stage) =>
    (await nodesOf(stage)).some(({ metadata, spec }) =>
      JSON.stringify([metadata?.annotations, spec?.taints]).includes(trace),
    );

/** What each step of a roll leaves to be seen, in their order. */
const moments: readonly Moment[] = [
  { name: 'at-once', isThere: () => true },
  { name: 'tainted', isThere: someNode('drover.dev/old-node') },
  { name: 'marked', isThere: someNode('drover.dev/rolling') },
  { name: 'terminated', isThere: (stage) => leavingIn(stage).length > 0 },
  {
    name: 'launched',
    isThere: (stage, before) =>
      members(stage).some(
        ({ InstanceId = '', LifecycleState }) =>
          LifecycleState === 'InService' && !before.includes(InstanceId),
      ),
  },
  {
    name: 'second',
    isThere: (stage, before) =>
      leavingIn(stage).length > 0 && before.some((id) => !idsOf(stage).includes(id)),
  },
];

/** Shorter than the two seconds of the account between two steps. */
const lookMilliseconds = 20;

/** People abort a roll at each of its steps: nothing of it is left on Nodes that stay, and what has left is replaced. */
export async function abortAtEachStep(stage: TrialStage): Promise<void> {
  for (const { name, isThere } of moments) {
    const before = idsOf(stage);
    await begin(stage, name);
    while (!(await isThere(stage, before))) {
      if (stage.rolling.seen(name)?.state === 'done')
        throw new Error(`the roll was done before it was ${name}`);
      await sleep(lookMilliseconds);
    }
    want(stage, name, 'aborted');
    await untilState(stage, name, 'aborted');
    await untilClean(stage, name);
    await untilWhole(stage);
  }
}
