import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import type { AwsConnection } from '../../shared/aws/connection.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { readDeployments, stageServing } from '../deployments/deployments.ts';
import { CliError } from '../exit-codes.ts';

interface Asked {
  readonly clusterName: string;
  readonly stage: string | undefined;
  /** Called with why the deployment could not be asked. */
  readonly warn: (message: string) => void;
}

/**
 * The parameter that the deployed functions of a cluster read; the usual one without a deployment, or if it may not be asked.
 *
 * @throws CliError if several deployments may serve the cluster, or the named stage serves another one.
 */
export async function deployedParameter(
  connection: AwsConnection,
  { clusterName, stage, warn }: Asked,
): Promise<string> {
  const usual = `/drover/${clusterName}/kubeconfig`;
  try {
    const events = new EventBridgeClient(clientSettings(connection, 'EventBridge'));
    const deployed = stageServing(await readDeployments(events), { clusterName, stage });
    if (deployed === undefined) return usual;
    const lambda = new LambdaClient(clientSettings(connection, 'Lambda'));
    const { Environment } = await lambda.send(
      new GetFunctionConfigurationCommand({ FunctionName: `drover-${deployed}-node-leaving` }),
    );
    return Environment?.Variables?.['DROVER_KUBECONFIG_PARAMETER'] ?? usual;
  } catch (error) {
    if (error instanceof CliError) throw error;
    warn(
      `it is unknown which parameter the deployed functions read: ${messageOf(error)}. It is ${usual} unless kubeconfigParameter of the deployment says another one: then give --parameter`,
    );
    return usual;
  }
}
