import { ssmClient } from '../aws/clients.ts';
import { readModifiedAt } from '../aws/parameter-dates.ts';
import { createPlainParameters } from '../aws/plain-parameters.ts';
import { credentialParameterOf } from '../credentials/token-ledger.ts';
import type { ScaleContext } from '../http/scale-context.ts';
import { awsConnection } from './aws-connection.ts';
import { readConfig } from './config.ts';
import type { Host } from './host.ts';

/**
 * What GET /status reads beside groups and Nodes.
 *
 * @throws ConfigError
 */
export function statusSources(host: Host): Pick<ScaleContext, 'bootstrap' | 'etcdMembers'> {
  return { bootstrap: bootstrapSource(host), etcdMembers: etcdSource(host) };
}

function bootstrapSource(host: Host): ScaleContext['bootstrap'] {
  if (!readConfig(host.environment, ['bootstrapIsOn']).bootstrapIsOn) return undefined;
  const { bootstrapParameter, bootstrapRoles, bootstrapRotationSeconds } = readConfig(host.environment, [
    'bootstrapParameter',
    'bootstrapRoles',
    'bootstrapRotationSeconds',
  ]);
  const parameters = bootstrapRoles.map((role) => ({
    role,
    parameterName: credentialParameterOf(bootstrapParameter, role),
  }));
  return {
    parameters,
    rotationSeconds: bootstrapRotationSeconds,
    readPublishedAt: () =>
      readModifiedAt(
        ssmClient(awsConnection(host)),
        parameters.map(({ parameterName }) => parameterName),
      ),
  };
}

function etcdSource(host: Host): ScaleContext['etcdMembers'] {
  const { etcdDomain, etcdMemberParameters: prefix } = readConfig(host.environment, [
    'etcdDomain',
    'etcdMemberParameters',
  ]);
  if (!etcdDomain) return undefined;
  return async () =>
    [...(await createPlainParameters(ssmClient(awsConnection(host))).listBelow(prefix)).keys()].map((name) =>
      name.slice(prefix.length + 1),
    );
}
