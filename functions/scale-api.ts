import { schedulerClient, ssmClient } from '../shared/aws/clients.ts';
import { createGroups } from '../shared/aws/groups.ts';
import { createPlainParameters } from '../shared/aws/parameters.ts';
import { translatedScheduleStore } from '../shared/aws/schedule-store.ts';
import { pause } from '../shared/base/clock.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog } from '../shared/base/log.ts';
import type { ClusterNodes } from '../shared/capacity/observed-nodes.ts';
import { scheduleGroupOf } from '../shared/capacity/schedules/schedule.ts';
import { createKubernetesClient } from '../shared/kubernetes/client.ts';
import { awsConnection } from '../shared/runtime/aws-connection.ts';
import { clusterConnections } from '../shared/runtime/cluster.ts';
import { readConfig } from '../shared/runtime/config.ts';
import { holdContext } from '../shared/runtime/hold-context.ts';
import type { FunctionHost, Host } from '../shared/runtime/host.ts';
import { createHttpHandler } from '../shared/runtime/http-handler.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import { rollRequests } from '../shared/runtime/roll-requests.ts';
import { statusContext } from '../shared/runtime/status-context.ts';
import { callerRoleOf } from '../shared/scale-api/caller-roles.ts';
import type { HttpResult } from '../shared/scale-api/http-call.ts';
import { createRouter } from '../shared/scale-api/router.ts';
import { routes } from '../shared/scale-api/routes.ts';
import type { ScaleContext } from '../shared/scale-api/scale-context.ts';

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
 * Groups, their instances and nodes, and their desired capacity, behind API Gateway.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function create(
  host: FunctionHost,
  cluster: ClusterNodes = nodesFrom(host),
): LambdaHandler<unknown, HttpResult> {
  const {
    scaleApiPrincipals,
    wokenRollQueueUrl: queueUrl,
    ...names
  } = readConfig(host.environment, [
    'clusterName',
    'leavingHookName',
    'joiningHookName',
    'etcdHookName',
    'etcdLaunchHookName',
    'scaleApiPrincipals',
    'maxSizeLimit',
    'wokenRollQueueUrl',
  ]);
  const { clusterName, maxSizeLimit } = names;
  const connection = awsConnection(host);
  const groups = createGroups({ connection, clusterName });
  const log = createLog(host, { function: 'scale-api' });
  const context: ScaleContext = {
    ...names,
    ...statusContext(host, { functionName: 'scale-api', groups, cluster, log }),
    holds: () => holdContext(host, { clusterName, maxSizeLimit }),
    schedules: () =>
      translatedScheduleStore({
        client: schedulerClient(connection),
        groupName: scheduleGroupOf(clusterName),
        clock: host.clock,
      }),
    rolls: () => rollRequests(host, { queueUrl, log }),
    etcdMembers: etcdSource(host),
    pause: (milliseconds) => pause(host.clock, milliseconds),
    recordChange: (message, record) => log.info(message, { ...record }),
  };
  return createHttpHandler({
    answer: createRouter({
      routes: Object.values(routes),
      context,
      callerRoleOf: ({ callerArn }) => callerRoleOf(scaleApiPrincipals, callerArn),
    }),
    log,
    clock: host.clock,
  });
}

export const handler = onLambda(create);

/** What Drover has written about the members of etcd. */
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
