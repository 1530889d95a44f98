import { ssmClient } from '../aws/clients.ts';
import { createParameterStore } from '../aws/parameters.ts';
import { createMetrics } from '../base/metrics.ts';
import { publishedAddress } from '../credentials/bootstrap-kubeconfig.ts';
import { revoke } from '../credentials/retire.ts';
import {
  previewRotation,
  type RotationContext,
  type RotationOptions,
  type RotationReport,
  type RotationSettings,
  rotate,
} from '../credentials/rotate.ts';
import { inStep } from '../credentials/rotation-error.ts';
import type { RotationPlan } from '../credentials/rotation-plan.ts';
import { type BootstrapRole, type ClusterAddress, roleGroupOf } from '../credentials/token-cluster.ts';
import { credentialParameterOf } from '../credentials/token-ledger.ts';
import { createTokenCluster } from '../kubernetes/bootstrap-tokens.ts';
import type { ClusterConnection, ConnectionSource } from '../kubernetes/connection.ts';
import { awsConnection } from './aws-connection.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import type { Host } from './host.ts';

/** Previews and rotates the bootstrap credential of the nodes of a role. Each method rejects with a RotationError. */
export interface Rotation {
  readonly role: BootstrapRole;
  readonly parameterName: string;
  preview(options?: RotationOptions): Promise<RotationPlan>;
  rotate(options?: RotationOptions): Promise<RotationReport>;
  /** Deletes a token of the ledger that is not published. */
  revoke(tokenId: string): Promise<void>;
}

const keys = [
  'clusterName',
  'bootstrapParameter',
  'bootstrapRotationSeconds',
  'bootstrapOverlapSeconds',
  'bootstrapGroups',
  'bootstrapRoles',
  'bootstrapKeyId',
  'bootstrapServer',
  'bootstrapCertificateAuthorityData',
] as const;
type RotationConfig = Pick<Config, (typeof keys)[number]>;

/**
 * Composes the rotation of each role that gets tokens, with the AWS of a host, and a cluster.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeRotations(host: Host, connections: ConnectionSource): readonly Rotation[] {
  const config = readConfig(host.environment, keys);
  // Otherwise each rotation would come before the overlap of the previous one is over, and no token would be retired.
  if (config.bootstrapOverlapSeconds >= config.bootstrapRotationSeconds)
    throw new ConfigError(['DROVER_BOOTSTRAP_OVERLAP must be shorter than DROVER_BOOTSTRAP_ROTATION']);
  return config.bootstrapRoles.map((role) => composeRotation({ host, connections, config, role }));
}

interface RotationParts {
  readonly host: Host;
  readonly connections: ConnectionSource;
  readonly config: RotationConfig;
  readonly role: BootstrapRole;
}

function composeRotation({ host, connections, config, role }: RotationParts): Rotation {
  const metrics = createMetrics(host, config.clusterName);
  const context: RotationContext = {
    parameters: createParameterStore(ssmClient(awsConnection(host))),
    tokens: createTokenCluster({ connections, sendHttp: host.sendHttp }),
    clock: host.clock,
    randomBytes: host.randomBytes,
    // The age of a credential that is not overdue would cost as much as all other metrics of a quiet deployment.
    recordAge: ({ ageSeconds, overdueSeconds }) =>
      metrics.put(
        {
          ...(overdueSeconds > 0 && { BootstrapCredentialAgeSeconds: ageSeconds }),
          BootstrapCredentialOverdueSeconds: overdueSeconds,
        },
        { Role: role },
      ),
  };
  const settings = async (): Promise<RotationSettings> =>
    settingsOf(
      { config, role },
      await inStep('read', "reading Drover's own kubeconfig", () => connections.connect()),
    );
  return {
    role,
    parameterName: credentialParameterOf(config.bootstrapParameter, role),
    preview: async (options) => previewRotation(context, await settings(), options),
    rotate: async (options) => rotate(context, await settings(), options),
    revoke: async (tokenId) => revoke(context, await settings(), tokenId),
  };
}

function settingsOf(
  { config, role }: Pick<RotationParts, 'config' | 'role'>,
  connection: ClusterConnection,
): RotationSettings {
  const { bootstrapServer: server, bootstrapCertificateAuthorityData: certificateAuthorityData } = config;
  return {
    owner: { clusterName: config.clusterName, role },
    parameterName: credentialParameterOf(config.bootstrapParameter, role),
    keyId: config.bootstrapKeyId || undefined,
    groups: role === 'worker' ? config.bootstrapGroups.split(',') : [roleGroupOf(role)],
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
