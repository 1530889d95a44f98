import { presignWithExpiry } from '../aws/caller-identity.ts';
import { ssmClient } from '../aws/clients.ts';
import { createParameterStore } from '../aws/parameters.ts';
import { pause } from '../base/clock.ts';
import { tokenPrefix } from '../identity/read-token.ts';
import { createKubernetesClient } from '../kubernetes/client.ts';
import type { ConnectionSource } from '../kubernetes/connection.ts';
import { iamTokenMaker } from '../kubernetes/kubeconfig/connect.ts';
import { kubeconfigSource } from '../kubernetes/kubeconfig/source.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import { awsConnection } from './aws-connection.ts';
import { ConfigError, readConfig } from './config.ts';
import type { FunctionHost, Host } from './host.ts';

/** No kubeconfig is stored yet, as before a cluster is born: the API server gives the credential in it. */
class NoKubeconfigError extends ConfigError {
  readonly kind = 'no-kubeconfig';
}

/**
 * Connections to the cluster from a kubeconfig in Parameter Store, cached until a 401. The kubeconfig may carry a bearer token, a
 * client certificate, or the exec form that requests an IAM token, which is made with the function's own role.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function clusterConnections(
  host: Host,
  { kubeconfigParameter } = readConfig(host.environment, ['kubeconfigParameter']),
): ConnectionSource {
  const connection = awsConnection(host);
  const parameters = createParameterStore(ssmClient(connection));
  return kubeconfigSource({
    load: async () => {
      const stored = await parameters.read(kubeconfigParameter);
      if (stored) return stored.value;
      throw new NoKubeconfigError([
        `there is no parameter ${kubeconfigParameter}: put a kubeconfig there, as a SecureString`,
      ]);
    },
    abilities: {
      clock: host.clock,
      makeIamToken: iamTokenMaker({
        presign: (request) => presignWithExpiry(connection, request),
        clock: host.clock,
      }),
    },
  });
}

/**
 * The same for the token webhook. A kubeconfig that logs in by an IAM token is refused: the API server would send this token to this
 * webhook, and each call would cause another one.
 */
export function clusterConnectionsWithoutIam(host: Host): ConnectionSource {
  const connections = clusterConnections(host);
  return {
    connect: async () => {
      const connection = await connections.connect();
      if (!connection.bearerToken?.startsWith(tokenPrefix)) return connection;
      throw new ConfigError([
        'the kubeconfig of the token webhook logs in by an IAM token, which the API server would put to this webhook: give it a client certificate, or the token of a ServiceAccount',
      ]);
    },
    invalidate: () => connections.invalidate(),
  };
}

/** The cluster's API, for passes. */
export const composeCluster = (host: FunctionHost, connections = clusterConnections(host)): DrainCluster =>
  createKubernetesClient({
    connections,
    sendHttp: host.sendHttp,
    clock: host.clock,
    pause: (milliseconds) => pause(host.clock, milliseconds),
  });
