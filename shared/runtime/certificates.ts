import { readGroupReturns } from '../aws/activities.ts';
import { createAutoScaling } from '../aws/auto-scaling.ts';
import { withFewerCalls } from '../aws/cached.ts';
import { autoScalingClient, ec2Client } from '../aws/clients.ts';
import { createNamedInstances } from '../aws/ec2.ts';
import { createSilence } from '../base/side-by-side.ts';
import type { CertificateContext } from '../certificates/decide-requests.ts';
import { createReadings } from '../certificates/read-request.ts';
import { createApi } from '../kubernetes/api.ts';
import { certificateCalls } from '../kubernetes/certificates.ts';
import type { ConnectionSource } from '../kubernetes/connection.ts';
import { nodeCalls } from '../kubernetes/nodes.ts';
import { notifyNothing } from '../notifications/notification.ts';
import { awsConnection } from './aws-connection.ts';
import { clusterConnections } from './cluster.ts';
import { readConfig } from './config.ts';
import type { FunctionHost, Host } from './host.ts';

/**
 * Composes the context of decisions about certificate requests, with the cluster of the host's environment unless another is given. Its
 * `notify` sends nothing: a function replaces it with its own.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeCertificates(
  host: Host & Pick<FunctionHost, 'clock'>,
  connections: ConnectionSource = clusterConnections(host),
): CertificateContext {
  const { clusterName, servingAddresses, servingPublicAddresses, nodeVpcId, ...settings } = readConfig(
    host.environment,
    [
      'clusterName',
      'accountId',
      'nodeVpcId',
      'nodeInstanceProfiles',
      'joinWindowSeconds',
      'servingAddresses',
      'servingPublicAddresses',
    ],
  );
  const connection = awsConnection(host);
  const client = autoScalingClient(connection);
  const { clock, sendHttp } = host;
  const api = createApi({ connections, sendHttp });
  return {
    cluster: { ...certificateCalls(api), getNode: nodeCalls(api).getNode },
    instances: createNamedInstances(ec2Client(connection)),
    autoScaling: withFewerCalls(createAutoScaling({ client, clusterName }), clock),
    returnsOf: (autoScalingGroupName) => readGroupReturns(client, autoScalingGroupName),
    clock,
    clusterName,
    settings: {
      accountId: settings.accountId,
      vpcId: nodeVpcId,
      instanceProfiles: settings.nodeInstanceProfiles,
      joinWindowSeconds: settings.joinWindowSeconds,
      primaryAddressesOnly: servingAddresses === 'primary',
      publicAddresses: servingPublicAddresses,
    },
    read: createReadings(),
    silentNodes: createSilence((name) => name),
    silentRequests: createSilence(({ request }) => request.uid),
    notify: notifyNothing,
  };
}
