import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { oneLine } from '../../plain-text.ts';
import type { RollAccess } from '../access.ts';
import type { RollAccessFlags } from '../access-flags.ts';
import type { ChosenNodegroup } from './choose.ts';
import { type BlockedNodes, readBlockedPods } from './read.ts';

interface ReadOf {
  readonly nodegroup: ChosenNodegroup;
  readonly access: RollAccess;
  readonly flags: RollAccessFlags;
}

/** The pods that a budget holds, for people; empty without such pods. */
export const blockedText = (blocked: BlockedNodes['blocked']): string =>
  blocked.length === 0
    ? ''
    : `\nPods that a budget holds:\n${blocked
        .map(
          ({ nodeName, pods }) =>
            `  ${nodeName}\n${pods.map(({ pod, why }) => `    ${oneLine(`${pod}: ${why}`)}\n`).join('')}`,
        )
        .join('')}`;

/** EKS names no pod if an eviction fails (aws/containers-roadmap#1282). */
export async function failureOf(
  errors: readonly string[],
  { nodegroup, access, flags }: ReadOf,
  context: CliContext,
): Promise<CliError> {
  const { blocked } = await readBlockedPods(nodegroup, access, flags, context);
  const pods = blocked.flatMap(({ nodeName, pods: held }) =>
    held.map(({ pod, why }) => `${pod} on ${nodeName}: ${why}`),
  );
  const held = pods.length === 0 ? '' : `; budgets hold ${pods.slice(0, 10).join('; ')}`;
  return new CliError(
    oneLine(`the update of ${nodegroup.nodegroupName} has failed: ${errors.join('; ')}${held}`),
    exitCodes.failed,
  );
}
