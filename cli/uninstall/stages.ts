import { readDeployments, stageServing } from '../deployments/deployments.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { allQueues, findQueues } from '../queues/find-queues.ts';
import type { UninstallAccess } from './access.ts';

/**
 * The stage whose stack is still there; undefined if it is gone.
 *
 * @throws CliError if the stage of the operator is that of another cluster, or is mistyped, or nothing shows which one is meant.
 */
export const stackOf = async ({
  events,
  clusterName,
  stage,
}: Pick<UninstallAccess, 'events' | 'clusterName' | 'stage'>): Promise<string | undefined> =>
  stageServing(await readDeployments(events), { clusterName, stage });

/**
 * The URLs of the queues of the stage, which a deleted stack leaves behind. The name of a queue has the stage and not the cluster, so once
 * the stack is gone only the operator knows which queues are meant.
 *
 * @throws CliError if queues of stages without a stack are there, and the operator has not named one.
 */
export async function queuesOfStage(
  access: Pick<UninstallAccess, 'events' | 'clusterName' | 'sqs' | 'stage'>,
): Promise<readonly string[]> {
  const stage = access.stage ?? (await stackOf(access));
  if (stage !== undefined) return (await findQueues(access.sqs, stage)).map(({ url }) => url);
  const deployed = new Set((await readDeployments(access.events)).map((one) => one.stage));
  const left = (await allQueues(access.sqs)).filter((one) => !deployed.has(one.stage));
  const stages = [...new Set(left.map((one) => one.stage))];
  if (stages.length === 0) return [];
  throw new CliError(
    `queues of stages without a stack are there, and their names do not show the cluster: give the stage of this cluster with --stage, of ${stages.join(', ')}`,
    exitCodes.failed,
  );
}
