import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { readDeployments } from '../deployments/deployments.ts';
import { rulesNamed } from '../deployments/rules-named.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { reasonOf } from '../reason-of.ts';

/** The end of the name of the rule that runs the function `roll` each minute. */
const ruleName = 'roll';

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
    const deployments = await readDeployments(events);
    const stages = deployments.flatMap(({ stage, clusterName: served = clusterName }) =>
      served === clusterName ? stage : [],
    );
    const rules = await Promise.all(stages.map((stage) => rulesNamed(events, `drover-${stage}-${ruleName}`)));
    const isOn = rules.some((found, index) =>
      found.some(({ Name, State }) => Name === `drover-${stages[index]}-${ruleName}` && State !== 'DISABLED'),
    );
    if (isOn) return;
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
