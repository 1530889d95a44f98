import { type QuorumFindings, watchQuorum } from '../etcd/watch-quorum.ts';
import { runDroverIn } from '../terminal.ts';
import type { RealWorld } from '../world.ts';
import { openRollingWorld, type RollingPlan, type RollingWorld } from './roll-world.ts';

export interface ProvingPlan extends RollingPlan {
  readonly surge: number;
  readonly say: (text: string) => void;
}

const roll = 'all';
const longestSeconds = 2 * 3600;

/**
 * Replaces every node with `drover roll --all` under load, and says what it has seen.
 *
 * @returns whether no Service was without a ready endpoint on a living node at any moment, etcd has kept quorum and every write, the roles
 *   were replaced in their order, and nothing of the roll is left
 * @throws Error if the roll does not end within two hours
 */
export async function proveRoll(world: RealWorld, plan: ProvingPlan): Promise<boolean> {
  const rolling = await openRollingWorld(world, plan);
  try {
    return await rollAll(world, rolling, plan);
  } finally {
    await rolling.close();
  }
}

async function rollAll(
  world: RealWorld,
  rolling: RollingWorld,
  { say, surge, withEtcd }: Pick<ProvingPlan, 'say' | 'surge' | 'withEtcd'>,
): Promise<boolean> {
  const quorum = withEtcd ? watchQuorum(world) : undefined;
  const pods = rolling.endpoints.pods();
  const begun = performance.now();
  say(await runDroverIn(world, ['roll', '--all', '--everything', '--surge', String(surge), '--bake', '0s']));
  let told = '';
  const isDone = (): boolean => {
    const { state, reason = '' } = rolling.seen(roll) ?? {};
    if (reason !== told) say(reason);
    told = reason;
    return state === 'done';
  };
  await rolling.until('the end of the roll', longestSeconds, isDone);
  const gaps = rolling.endpoints.gaps();
  const findings = await quorum?.stop();
  const marked = await rolling.marked(roll);
  say(
    `in ${Math.round((performance.now() - begun) / 1000)} s of this machine; old instances that are left: ${rolling.old()}`,
  );
  say(`evictions a pod: ${((rolling.endpoints.pods() - pods) / pods).toFixed(2)}`);
  say(
    `gaps: ${gaps.map(({ service, milliseconds }) => `${service} ${milliseconds} ms`).join(', ') || 'none'}`,
  );
  say(`nodes with something of the roll: ${marked.join(', ') || 'none'}`);
  if (findings) say(describe(findings));
  const keptQuorum = findings === undefined || (findings.spareVoters >= 0 && findings.lost === 0);
  return (
    gaps.length === 0 && marked.length === 0 && rolling.old() === 0 && keptQuorum && isInOrder(rolling.ended)
  );
}

const describe = ({ spareVoters, longestSilenceMilliseconds, writes, lost }: QuorumFindings): string =>
  `etcd: at least ${spareVoters} voters more than a majority answered; ${writes} writes, of which ${lost} are lost; the longest time without one: ${longestSilenceMilliseconds} ms`;

const order = ['etcd', 'control-plane', 'workers'];

/** Whether the groups of instances that have ended are in the order of roles. */
const isInOrder = (ended: readonly string[]): boolean =>
  ended.every((group, index) => index === 0 || order.indexOf(group) >= order.indexOf(ended[index - 1] ?? ''));
