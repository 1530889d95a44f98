import { ssmClient } from '../aws/clients.ts';
import { readModifiedAt } from '../aws/parameters.ts';
import type { Log } from '../base/log.ts';
import { withinTime } from '../base/within-time.ts';
import { credentialParameterOf } from '../credentials/token-ledger.ts';
import type { StatusContext } from '../scale-api/scale-context.ts';
import { awsConnection } from './aws-connection.ts';
import { readConfig } from './config.ts';
import type { FunctionHost, Host } from './host.ts';
import { problemSourcesOf } from './problem-sources.ts';

/**
 * What the status of the cluster is read with, on a host. The members of etcd are not read.
 *
 * @throws ConfigError
 */
export function statusContext<Groups extends StatusContext['groups']>(
  host: FunctionHost,
  {
    functionName,
    groups,
    cluster,
    log,
  }: Pick<StatusContext, 'cluster' | 'functionName'> & { readonly groups: Groups; readonly log: Log },
): StatusContext & { readonly groups: Groups } {
  const { clock } = host;
  return {
    functionName,
    ...readConfig(host.environment, [
      'clusterName',
      'leavingHookName',
      'joiningHookName',
      'etcdHookName',
      'etcdLaunchHookName',
    ]),
    groups,
    cluster,
    bootstrap: bootstrapSource(host),
    etcdMembers: undefined,
    problemSources: problemSourcesOf(host, functionName),
    onClusterFailure: (error) => log.error('the Nodes could not be listed', error),
    onPartFailure: (what, error) => log.error(`${what} could not be read`, error),
    now: () => clock.now(),
    after: (milliseconds, task) => clock.after(milliseconds, task),
    withinTime: (milliseconds, work) => withinTime(clock, milliseconds, work),
  };
}

function bootstrapSource(host: Host): StatusContext['bootstrap'] {
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
