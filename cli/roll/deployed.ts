import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { readDeployments } from '../deployments/deployments.ts';
import { deployedFeatures } from '../deployments/features.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { reasonOf } from '../reason-of.ts';

/**
 * Refuses a roll that nothing would carry out: the deployment of the cluster has its parameter `rolls` off. A user who may not list rules gets a
 * warning instead.
 *
 * @throws CliError `failed`
 */
export async function assertRollsAreOn(
  events: EventBridgeClient,
  clusterName: string,
  warn: (message: string) => void,
): Promise<void> {
  try {
    const stages = await stagesOf(events, clusterName);
    const features = await Promise.all(stages.map((stage) => deployedFeatures(events, stage)));
    if (features.some((on) => on.has('rolls'))) return;
    const [stage] = stages;
    throw new CliError(
      stage === undefined
        ? `no deployment of Drover serves cluster ${clusterName} in this account and region, so nothing would replace its nodes`
        : `rolls are off in the deployment of stage ${stage}: deploy it with the parameter rolls=on, and give its identity its rights with drover rbac (docs/rolling.md)`,
      exitCodes.failed,
    );
  } catch (error) {
    if (error instanceof CliError) throw error;
    warn(`whether rolls are on in the deployment is unknown: ${reasonOf(error)}`);
  }
}

/** The stages of the deployments that serve the cluster, or may: an earlier version does not say which it serves. */
export const stagesOf = async (events: EventBridgeClient, clusterName: string): Promise<readonly string[]> =>
  (await readDeployments(events)).flatMap(({ stage, clusterName: served = clusterName }) =>
    served === clusterName ? stage : [],
  );
