import { ssmClient } from '../aws/clients.ts';
import { createParameterStore } from '../aws/parameters.ts';
import { publishedAddress } from '../credentials/published-address.ts';
import { previewRotation, type RotationOptions, type RotationReport, rotate } from '../credentials/rotate.ts';
import type { RotationContext, RotationSettings } from '../credentials/rotation-context.ts';
import { inStep } from '../credentials/rotation-error.ts';
import type { RotationPlan } from '../credentials/rotation-plan.ts';
import type { ClusterAddress } from '../credentials/token-cluster.ts';
import { createTokenCluster } from '../kubernetes/bootstrap-tokens.ts';
import type { ClusterConnection, ConnectionSource } from '../kubernetes/connection.ts';
import { awsConnection } from './aws-connection.ts';
import { type Config, readConfig } from './config.ts';
import type { Host } from './host.ts';
import { createMetrics } from './metrics.ts';

/** Previews and rotates the bootstrap credential of worker nodes. Both methods reject with a RotationError. */
export interface Rotation {
  readonly parameterName: string;
  preview(options?: RotationOptions): Promise<RotationPlan>;
  rotate(options?: RotationOptions): Promise<RotationReport>;
}

const keys = [
  'clusterName',
  'bootstrapParameter',
  'bootstrapRotationSeconds',
  'bootstrapOverlapSeconds',
  'bootstrapGroups',
  'bootstrapKeyId',
  'bootstrapServer',
  'bootstrapCertificateAuthorityData',
] as const;
type RotationConfig = Pick<Config, (typeof keys)[number]>;

/**
 * Composes the rotation with the AWS of a host, and a cluster.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeRotation(host: Host, connections: ConnectionSource): Rotation {
  const config = readConfig(host.environment, keys);
  const metrics = createMetrics(host, config.clusterName);
  const context: RotationContext = {
    parameters: createParameterStore(ssmClient(awsConnection(host))),
    tokens: createTokenCluster({ connections, sendHttp: host.sendHttp }),
    clock: host.clock,
    randomBytes: host.randomBytes,
    recordAge: ({ ageSeconds, overdueSeconds }) =>
      metrics.put({
        BootstrapCredentialAgeSeconds: ageSeconds,
        BootstrapCredentialOverdueSeconds: overdueSeconds,
      }),
  };
  const settings = async (): Promise<RotationSettings> =>
    settingsOf(config, await inStep('read', "reading Drover's own kubeconfig", () => connections.connect()));
  return {
    parameterName: config.bootstrapParameter,
    preview: async (options) => previewRotation(context, await settings(), options),
    rotate: async (options) => rotate(context, await settings(), options),
  };
}

function settingsOf(config: RotationConfig, connection: ClusterConnection): RotationSettings {
  const { bootstrapServer: server, bootstrapCertificateAuthorityData: certificateAuthorityData } = config;
  return {
    owner: { clusterName: config.clusterName, role: 'worker' },
    parameterName: config.bootstrapParameter,
    keyId: config.bootstrapKeyId || undefined,
    groups: config.bootstrapGroups.split(','),
    timing: {
      rotationSeconds: config.bootstrapRotationSeconds,
      overlapSeconds: config.bootstrapOverlapSeconds,
    },
    address: publishedAddress(addressOf(connection), {
      ...(server && { server }),
      ...(certificateAuthorityData && { certificateAuthorityData }),
    }),
  };
}

const addressOf = ({ server, tls }: ClusterConnection): ClusterAddress => ({
  server,
  ...(tls.certificateAuthority && {
    certificateAuthorityData: Buffer.from(tls.certificateAuthority).toString('base64'),
  }),
  ...(tls.serverName && { tlsServerName: tls.serverName }),
});
