import { createPlanLaunches } from '../aws/plan-launches.ts';
import type { PodsReader } from '../capacity/pod-holds/read-pods.ts';
import { createPlanCluster } from '../kubernetes/plan-cluster.ts';
import { awsConnection } from './aws-connection.ts';
import { clusterConnections } from './cluster.ts';
import { readConfig } from './config.ts';
import type { Host } from './host.ts';

/** Of one page. A read as a whole has less time than two of them. */
const pageMilliseconds = 8000;

/**
 * What the pods of holds are read with; undefined if the deployment has not opted in: then its role may read neither the kubeconfig nor EC2.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composePodsReader(host: Host): PodsReader | undefined {
  if (!readConfig(host.environment, ['podHoldsAreOn']).podHoldsAreOn) return undefined;
  return {
    cluster: createPlanCluster({
      connections: clusterConnections(host),
      sendHttp: host.sendHttp,
      timeoutMilliseconds: pageMilliseconds,
    }),
    launches: createPlanLaunches(awsConnection(host)),
    ...readConfig(host.environment, ['joinTimeoutSeconds']),
  };
}
