import { rulesNamed } from '../doctor/rules-named.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { allQueues, findQueues } from '../queues/find-queues.ts';
import type { UninstallAccess } from './access.ts';

/** Rules that every deployment has. */
const ofDeployment = /^drover-(.+)-(?:lifecycle-action|sweep)$/;

/** The stages whose stacks are there, by the names of their rules. */
async function deployedStages({ events }: Pick<UninstallAccess, 'events'>): Promise<readonly string[]> {
  const rules = await rulesNamed(events, 'drover-');
  return [...new Set(rules.flatMap(({ Name = '' }) => ofDeployment.exec(Name)?.[1] ?? []))];
}

/**
 * The stage whose stack is still there; undefined if it is gone.
 *
 * @throws CliError if there are several stacks and the operator has not named one: a stage does not show its cluster.
 */
export async function stackOf(
  access: Pick<UninstallAccess, 'events' | 'stage'>,
): Promise<string | undefined> {
  const stages = await deployedStages(access);
  if (access.stage !== undefined) return stages.find((stage) => stage === access.stage);
  if (stages.length < 2) return stages[0];
  throw new CliError(
    `several deployments are in this account and region: choose the one of this cluster with --stage, of ${stages.join(', ')}, also if its stack is gone`,
    exitCodes.failed,
  );
}

/**
 * The URLs of the queues that the stage has left behind.
 *
 * @throws CliError if queues of several stages are there, and the operator has not named one.
 */
export async function queuesOfStage(
  access: Pick<UninstallAccess, 'events' | 'sqs' | 'stage'>,
): Promise<readonly string[]> {
  if (access.stage !== undefined) return (await findQueues(access.sqs, access.stage)).map(({ url }) => url);
  const deployed = await deployedStages(access);
  const left = (await allQueues(access.sqs)).filter(({ stage }) => !deployed.includes(stage));
  const stages = [...new Set(left.map(({ stage }) => stage))];
  if (stages.length < 2) return left.map(({ url }) => url);
  throw new CliError(
    `queues of several stages are there: choose the one of this cluster with --stage, of ${stages.join(', ')}`,
    exitCodes.failed,
  );
}
