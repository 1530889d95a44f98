import { schedulerClient } from '../aws/clients.ts';
import { createGroups } from '../aws/groups.ts';
import { createScheduleStore } from '../aws/schedule-store.ts';
import { withinTime } from '../base/within-time.ts';
import type { ClusterNodes } from '../capacity/cluster-nodes.ts';
import { scheduleGroupOf } from '../capacity/schedules/schedule.ts';
import { callerRoleOf } from '../http/caller-roles.ts';
import type { HttpResult } from '../http/http-call.ts';
import { createRouter } from '../http/router.ts';
import { scaleRoutes } from '../http/scale-api.ts';
import { createKubernetesClient } from '../kubernetes/client.ts';
import { awsConnection } from './aws-connection.ts';
import { clusterConnections } from './compose-cluster.ts';
import { readConfig } from './config.ts';
import { holdContext } from './hold-context.ts';
import type { FunctionHost, Host } from './host.ts';
import { createHttpHandler } from './http-handler.ts';
import type { LambdaHandler } from './lambda.ts';
import { createLog } from './log.ts';
import { statusSources } from './status-sources.ts';

/** API Gateway waits 30 s. If the cluster hangs, time must be left to answer that its Nodes are unknown. */
const clusterTimeoutMilliseconds = 8000;

const nodesFrom = (host: Host): ClusterNodes =>
  createKubernetesClient({
    connections: clusterConnections(host),
    sendHttp: host.sendHttp,
    clock: host.clock,
    timeoutMilliseconds: clusterTimeoutMilliseconds,
  });

/**
 * The scale API on a host, by default with the cluster of the host's kubeconfig.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeScaleApi(
  host: FunctionHost,
  cluster: ClusterNodes = nodesFrom(host),
): LambdaHandler<unknown, HttpResult> {
  const { scaleApiPrincipals, ...names } = readConfig(host.environment, [
    'clusterName',
    'leavingHookName',
    'joiningHookName',
    'scaleApiPrincipals',
    'maxSizeLimit',
  ]);
  const { clusterName, maxSizeLimit } = names;
  const connection = awsConnection(host);
  const groups = createGroups({ connection, clusterName });
  const log = createLog(host, { function: 'scale-api' });
  const onClusterFailure = (error: unknown): void => log.error('the Nodes could not be listed', error);
  const routes = scaleRoutes({
    ...names,
    groups,
    cluster,
    onClusterFailure,
    holds: () => holdContext(host, { clusterName, maxSizeLimit }),
    schedules: () =>
      createScheduleStore({
        client: schedulerClient(connection),
        groupName: scheduleGroupOf(clusterName),
        clock: host.clock,
      }),
    ...statusSources(host),
    withinTime: (milliseconds, work) => withinTime(host.clock, milliseconds, work),
    onPartFailure: (what, error) => log.error(`${what} could not be read`, error),
    now: () => host.clock.now(),
    pause: (milliseconds) =>
      new Promise((resolve) => {
        host.clock.after(milliseconds, resolve);
      }),
    recordChange: (message, record) => log.info(message, { ...record }),
  });
  return createHttpHandler({
    answer: createRouter(routes, ({ callerArn }) => callerRoleOf(scaleApiPrincipals, callerArn)),
    log,
    clock: host.clock,
  });
}
