import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { EC2Client } from '@aws-sdk/client-ec2';
import type { EKSClient } from '@aws-sdk/client-eks';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { IAMClient } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import { describeGroups, readGroups } from '../../shared/aws/auto-scaling.ts';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import { ec2Client, eksClient, iamClient, sqsClient, ssmClient } from '../../shared/aws/clients.ts';
import type { TimerClock } from '../../shared/base/clock.ts';
import { lazily } from '../../shared/base/lazily.ts';
import type { BootstrapRole } from '../../shared/credentials/token-cluster.ts';
import { type AutoScalingGroup, isManaged, type LifecycleHook } from '../../shared/groups/group.ts';
import { type Api, createApi } from '../../shared/kubernetes/api.ts';
import { createKubernetesClient } from '../../shared/kubernetes/client.ts';
import type { ConnectionSource } from '../../shared/kubernetes/connection.ts';
import { deploymentSchema, listAll } from '../../shared/kubernetes/lists.ts';
import { isForbidden } from '../../shared/kubernetes/status.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import type { ProblemObservation } from '../../shared/problems/observation.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { clusterConnections } from '../../shared/runtime/cluster.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { hooksOf } from '../auto-scaling/groups.ts';
import type { CliContext } from '../context.ts';
import { findStage } from '../deployments/deployments.ts';
import { rulesNamed } from '../deployments/rules-named.ts';
import { environmentOf, hostOf } from '../host.ts';
import { readApprovals } from '../observation/approvals.ts';
import { createObserver } from '../observation/observe.ts';
import { problemSources } from '../observation/sources.ts';
import type { ForeignHooksContext } from './foreign-hooks.ts';
import { type ClusterIdentity, identitiesOf, type KubeconfigParameters } from './identities.ts';

export interface DoctorFlags extends AutoScalingFlags {
  readonly stage?: string;
  readonly all?: true;
  readonly json?: true;
}

/** The names that a deployment uses. */
interface Names extends KubeconfigParameters {
  readonly clusterName: string;
  readonly region: string;
  readonly leavingHookName: string;
  readonly joiningHookName: string;
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
  readonly bootstrapParameter: string;
  readonly bootstrapRoles: readonly BootstrapRole[];
  readonly bootstrapRotationSeconds: number;
  readonly etcdClientParameter: string;
  readonly identityMappingParameter: string;
  /** Empty for any VPC. */
  readonly nodeVpcId: string;
}

/** The clients and reads of the checks. What several checks need is read once. */
export interface DoctorContext extends Names {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly autoScaling: AutoScalingClient;
  readonly ec2: EC2Client;
  readonly eks: EKSClient;
  readonly events: EventBridgeClient;
  readonly iam: IAMClient;
  readonly lambda: LambdaClient;
  readonly sqs: SQSClient;
  readonly ssm: SSMClient;
  readonly sts: STSClient;
  /** The groups with the cluster's tag, managed or not. */
  readonly taggedGroups: () => Promise<readonly AutoScalingGroup[]>;
  readonly managedGroups: () => Promise<readonly AutoScalingGroup[]>;
  /** All groups of the account and region. Each page is read once. */
  readonly readPage: ForeignHooksContext['readPage'];
  /** Of the managed groups, by group. */
  readonly hooks: () => Promise<ReadonlyMap<string, readonly LifecycleHook[]>>;
  /** The stage whose stack serves the cluster. Rejects if it cannot be found. */
  readonly stage: () => Promise<string>;
  /** The first is that of node-leaving. */
  readonly identities: readonly ClusterIdentity[];
  /** The API server, with the identity of node-leaving's kubeconfig. */
  readonly connections: ConnectionSource;
  readonly api: Api;
  /** The same API server, with another bearer. */
  readonly apiWithToken: (token: string) => Api;
  readonly cluster: Pick<DrainCluster, 'listNodes' | 'listNodeMetadata'>;
  /** All of the cluster; undefined if that identity may not list them. */
  readonly deployments: () => Promise<readonly Deployment[] | undefined>;
  readonly access: AutoScalingAccess;
  readonly clock: TimerClock;
  /** Everything that shows problems, read once. */
  readonly observe: () => Promise<ProblemObservation>;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function doctorContextOf(flags: DoctorFlags, context: CliContext): DoctorContext {
  const access = autoScalingAccess(flags, context);
  const { client: autoScaling, clusterName } = access;
  const host = hostOf(context, withDefaults(environmentOf(flags, context), clusterName));
  const names = readConfig(host.environment, [
    'region',
    'joiningHookName',
    'etcdLaunchHookName',
    'kubeconfigParameter',
    'readerKubeconfigParameter',
    'credentialsKubeconfigParameter',
    'certificatesKubeconfigParameter',
    'plannerKubeconfigParameter',
    'podHoldsAreOn',
    'rollerKubeconfigParameter',
    'rollsAreOn',
    'bootstrapParameter',
    'bootstrapRoles',
    'bootstrapRotationSeconds',
    'etcdClientParameter',
    'identityMappingParameter',
    'nodeVpcId',
  ]);
  const connection = awsConnection(host);
  const events = new EventBridgeClient(clientSettings(connection, 'EventBridge'));
  const taggedGroups = lazily(async () => await readGroups(autoScaling, clusterName));
  const managedGroups = lazily(async () =>
    (await taggedGroups()).filter((group) => isManaged(group, clusterName)),
  );
  const connections = clusterConnections(host);
  const { sendHttp, clock } = context;
  const api = createApi({ connections, sendHttp });
  const cluster = createKubernetesClient({ connections, sendHttp, clock });
  const stage = lazily(async () => flags.stage ?? (await findStage(events)));
  const sources = problemSources({
    host,
    connections: clusterConnections({
      ...host,
      environment: {
        ...host.environment,
        DROVER_KUBECONFIG_PARAMETER: names.certificatesKubeconfigParameter,
      },
    }),
    stage: flags.stage,
  });
  return {
    ...names,
    clusterName,
    leavingHookName: access.leavingHookName,
    etcdHookName: access.etcdHookName,
    at: clock.now(),
    access,
    clock,
    autoScaling,
    ec2: ec2Client(connection),
    eks: eksClient(connection),
    iam: iamClient(connection),
    events,
    lambda: new LambdaClient(clientSettings(connection, 'Lambda')),
    sqs: sqsClient(connection),
    ssm: ssmClient(connection),
    sts: new STSClient(clientSettings(connection, 'STS')),
    taggedGroups,
    managedGroups,
    readPage: pagesOf(autoScaling),
    hooks: lazily(async () => await hooksOf(access, await managedGroups())),
    stage,
    identities: identitiesOf(host, names),
    connections,
    api,
    apiWithToken: (token) => createApi({ connections: withToken(connections, token), sendHttp }),
    cluster,
    deployments: lazily(async () => await listDeployments(api)),
    observe: lazily(
      createObserver({
        access: () => access,
        cluster,
        sources: {
          ...sources,
          // Without the function, Drover's identity may not list the requests, and another program decides them.
          readRequests: async () =>
            (await decidesRequests(events, await stage())) ? await sources.readRequests() : [],
          // The identity of certificate-requests may not list bindings.
          readApprovals: async () => await readApprovals({ connections, sendHttp }),
        },
        clock,
      }),
    ),
  };
}

async function listDeployments(api: Api): Promise<readonly Deployment[] | undefined> {
  try {
    return await listAll(api, { path: '/apis/apps/v1/deployments', schema: deploymentSchema });
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

async function decidesRequests(events: EventBridgeClient, stage: string): Promise<boolean> {
  const rule = `drover-${stage}-certificate-requests`;
  return (await rulesNamed(events, rule)).some(({ Name }) => Name === rule);
}

function pagesOf(client: AutoScalingClient): DoctorContext['readPage'] {
  const pages = new Map<string | undefined, ReturnType<DoctorContext['readPage']>>();
  return (NextToken) => {
    const page = pages.get(NextToken) ?? describeGroups(client, { MaxRecords: 100, NextToken });
    pages.set(NextToken, page);
    return page;
  };
}

/** Keeps only the address and the authorities: a client certificate would take precedence over a bearer token. A kubeconfig of Parameter Store always verifies its server. */
const withToken = (connections: ConnectionSource, bearerToken: string): ConnectionSource => ({
  connect: async () => {
    const { server, tls } = await connections.connect();
    const { clientCertificate: _certificate, clientKey: _key, ...rest } = tls;
    return { server, tls: rest, bearerToken };
  },
  invalidate: () => connections.invalidate(),
});

/** As `serverless.yml` names the parameters of a cluster, unless the environment has other names. */
function withDefaults(environment: Readonly<Record<string, string | undefined>>, clusterName: string) {
  const kubeconfig = environment.DROVER_KUBECONFIG_PARAMETER ?? `/drover/${clusterName}/kubeconfig`;
  return {
    ...environment,
    DROVER_KUBECONFIG_PARAMETER: kubeconfig,
    DROVER_READER_KUBECONFIG_PARAMETER: environment.DROVER_READER_KUBECONFIG_PARAMETER ?? kubeconfig,
    DROVER_PLANNER_KUBECONFIG_PARAMETER: environment.DROVER_PLANNER_KUBECONFIG_PARAMETER ?? kubeconfig,
    DROVER_ROLLER_KUBECONFIG_PARAMETER: environment.DROVER_ROLLER_KUBECONFIG_PARAMETER ?? kubeconfig,
    DROVER_CREDENTIALS_KUBECONFIG_PARAMETER:
      environment.DROVER_CREDENTIALS_KUBECONFIG_PARAMETER ?? kubeconfig,
    DROVER_CERTIFICATES_KUBECONFIG_PARAMETER:
      environment.DROVER_CERTIFICATES_KUBECONFIG_PARAMETER ?? kubeconfig,
    DROVER_BOOTSTRAP_PARAMETER:
      environment.DROVER_BOOTSTRAP_PARAMETER ?? `/drover/${clusterName}/bootstrap-kubeconfig`,
    DROVER_ETCD_CLIENT_PARAMETER:
      environment.DROVER_ETCD_CLIENT_PARAMETER ?? `/drover/${clusterName}/etcd-client`,
    DROVER_IDENTITY_MAPPING_PARAMETER:
      environment.DROVER_IDENTITY_MAPPING_PARAMETER ?? `/drover/${clusterName}/identity-mapping`,
  };
}
