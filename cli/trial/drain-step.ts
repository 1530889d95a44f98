import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { durationText } from '../../shared/base/duration.ts';
import { isReady } from '../../shared/draining/pod-facts.ts';
import { isPastTerminatingWait, isTerminated } from '../../shared/groups/lifecycle-state.ts';
import { type LeavingMark, readLeavingMark } from '../../shared/nodes/leaving-mark.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import { counted } from '../counted.ts';
import { awaitLoggedEnd, loggedText } from './pass-log.ts';
import { terminateOnce } from './terminate.ts';
import { groupOf, memberOf, type Trial } from './trial-state.ts';
import { StepFailure, until, type Verdict, type WaitContext } from './wait.ts';

interface Draining {
  readonly instanceId: string;
  readonly node: Node;
  readonly timeoutSeconds: number;
}

/** Terminates the instance, and waits until Drover has drained its node and it has left. */
export async function awaitDrain(
  trial: Trial,
  { instanceId, node, timeoutSeconds }: Draining,
  context: WaitContext,
): Promise<{ readonly reason: string }> {
  const { access } = trial;
  const name = nameOfNode(node);
  await terminateOnce(trial, { instanceId, node }, context);
  const begunAt = context.clock.now();
  let seen: DrainSeen = nothingSeen;
  await until(
    {
      withinSeconds: timeoutSeconds,
      everySeconds: 2,
      look: async (): Promise<DrainLook> => {
        const [found, pods, group] = await Promise.all([
          access.nodes.getNode(name),
          access.trials.pods(),
          groupOf(trial),
        ]);
        const own = found?.metadata?.uid === node.metadata?.uid ? found : undefined;
        return {
          mark: readLeavingMark(own?.metadata?.annotations),
          hasNode: own !== undefined,
          readyPods: pods.filter(isReady).length,
          podsOnNode: pods.filter(({ spec }) => spec?.nodeName === name).length,
          lifecycleState: memberOf(group, instanceId)?.lifecycleState,
        };
      },
      judge: (look): Verdict<true> => {
        seen = seenAfter(seen, look);
        const waits = waitsOfDrain(look);
        return waits === undefined ? { done: true } : { waits };
      },
      advice: () => `drover events --instance ${instanceId} shows what Drover saw`,
    },
    context,
  );
  const took = durationText((context.clock.now() - begunAt) / 1000);
  const functionName = 'node-leaving';
  const end = await awaitLoggedEnd(trial, { instanceId, functionName }, context);
  const words = loggedText(functionName, end);
  const problems = [...drainProblems(seen), words];
  // The mark on the Node proves the drain, also if its log comes late.
  const isUnproven = end.kind === 'missing' && !seen.isMarked;
  if (problems.length > 1 || isUnproven) throw new StepFailure(problems.join('; '));
  return {
    reason: `at least one pod was Ready in each read, and node ${name} and its instance were gone within ${took}; ${words}`,
  };
}

/** What one read shows of a node that is drained. */
export interface DrainLook {
  /** Drover's mark on the Node. */
  readonly mark: LeavingMark | undefined;
  readonly hasNode: boolean;
  /** Pods of the trial, wherever they run. */
  readonly readyPods: number;
  readonly podsOnNode: number;
  /** Undefined once the group does not list the instance. */
  readonly lifecycleState: string | undefined;
}

/** What the reads have shown so far. */
export interface DrainSeen {
  /** The Node had Drover's mark. */
  readonly isMarked: boolean;
  /** The fewest Ready pods in one read. */
  readonly fewestReady: number;
  /** The wait was over while pods of the trial were on the node. */
  readonly endedWithPods: boolean;
}

export const nothingSeen: DrainSeen = { isMarked: false, fewestReady: Infinity, endedWithPods: false };

/** Pure. */
export const seenAfter = (seen: DrainSeen, look: DrainLook): DrainSeen => ({
  isMarked: seen.isMarked || look.mark !== undefined,
  fewestReady: Math.min(seen.fewestReady, look.readyPods),
  endedWithPods: seen.endedWithPods || (isWaitOver(look) && look.hasNode && look.podsOnNode > 0),
});

const isWaitOver = ({ lifecycleState }: DrainLook): boolean =>
  lifecycleState === undefined || isPastTerminatingWait({ lifecycleState });

const hasLeft = ({ lifecycleState }: DrainLook): boolean =>
  lifecycleState === undefined || isTerminated({ lifecycleState });

/** What is missing until the drain has ended; undefined once it has. Pure. */
export function waitsOfDrain(look: DrainLook): string | undefined {
  const held = look.mark?.waitingFor[0];
  if (look.podsOnNode > 0)
    return `${counted(look.podsOnNode, 'pod')} of the trial still on the node${held === undefined ? '' : `, held: ${held}`}`;
  if (look.hasNode) return 'the node is empty, and not deleted yet';
  return hasLeft(look) ? undefined : `the Node is deleted, and the instance is ${look.lifecycleState}`;
}

/** What went otherwise than Drover promises. Pure. */
export const drainProblems = ({ fewestReady, endedWithPods }: DrainSeen): readonly string[] => [
  ...(fewestReady < 1 ? ['in one read no pod was Ready, although the budget keeps one'] : []),
  ...(endedWithPods ? ['the wait of the instance ended while pods were on its node'] : []),
];
