import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { parseAllDocuments } from 'yaml';
import { readGroups } from '../../../shared/aws/auto-scaling.ts';
import { clientSettings } from '../../../shared/aws/client-settings.ts';
import { ec2Client, eksClient, iamClient } from '../../../shared/aws/clients.ts';
import { isManaged } from '../../../shared/groups/group.ts';
import type { HookNames } from '../../../shared/problems/hook-problems.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { isEks } from '../../approvers/built-in.ts';
import { autoScalingAccess } from '../../auto-scaling/access.ts';
import { connectionsTo } from '../../cluster.ts';
import type { CliContext } from '../../context.ts';
import { rulesNamed } from '../../doctor/rules-named.ts';
import { findStage } from '../../doctor/stage.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { rbacManifests } from '../../rbac/rbac-manifests.ts';
import type { AdoptFlags } from '../flags.ts';
import type { Feature, KubernetesObject, Observation } from '../plan/observation.ts';
import { observeCluster } from './cluster.ts';
import { observeEks } from './eks.ts';
import { observeGroups } from './groups.ts';

/** Reads all that a plan depends on, with this machine's AWS credentials and kubeconfig. Changes nothing. */
export async function observe(
  names: readonly string[],
  flags: AdoptFlags,
  context: CliContext,
): Promise<Observation> {
  const access = autoScalingAccess(flags, context);
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const events = new EventBridgeClient(clientSettings(connection, 'EventBridge'));
  const connections = connectionsTo(flags, context);
  const [{ server }, deployment, manifests, managedInstanceIds] = await Promise.all([
    connections.connect(),
    findDeployment(events, flags.stage),
    readManifests(),
    instancesOfManagedGroups(access.client, access.clusterName),
  ]);
  const [cluster, { groups, unknownGroups }] = await Promise.all([
    observeCluster({ connections, sendHttp: context.sendHttp, manifests }),
    observeGroups(names, { access, ec2: ec2Client(connection), iam: iamClient(connection) }),
  ]);
  const features = deployment && featuresOf(deployment.features, flags, cluster.granted);
  const eks = isEks(server)
    ? await observeEks({
        eks: eksClient(connection),
        iam: iamClient(connection),
        clusterName: access.clusterName,
        mapRoles: cluster.mapRoles,
        functions: deployment ? functionsThatAsk(deployment.features) : [],
        stage: deployment?.stage ?? '',
        nodeRoles: groups.flatMap(({ instanceRoleArn }) => instanceRoleArn ?? []),
      })
    : undefined;
  return {
    ...namesOf(access),
    ...cluster,
    features,
    groups,
    unknownGroups,
    managedInstanceIds,
    manifests,
    eks,
  };
}

const namesOf = (access: HookNames): HookNames => ({
  clusterName: access.clusterName,
  leavingHookName: access.leavingHookName,
  joiningHookName: access.joiningHookName,
  etcdHookName: access.etcdHookName,
  etcdLaunchHookName: access.etcdLaunchHookName,
});

interface Deployment {
  readonly stage: string;
  readonly features: ReadonlySet<Feature>;
}

const optional = { bootstrap: 'bootstrap-credential', certificates: 'certificate-requests' } as const;

/** The deployment by its rules; undefined if there is none. Rejects if there are several, and none is chosen. */
async function findDeployment(
  events: EventBridgeClient,
  stage: string | undefined,
): Promise<Deployment | undefined> {
  if ((await rulesNamed(events, 'drover-')).length === 0) return undefined;
  const name = stage ?? (await findStage(events));
  const rules = new Set((await rulesNamed(events, `drover-${name}-`)).map(({ Name }) => Name));
  if (rules.size === 0) return undefined;
  const features = (['bootstrap', 'certificates'] as const).filter((feature) =>
    rules.has(`drover-${name}-${optional[feature]}`),
  );
  return { stage: name, features: new Set(features) };
}

/** No rule shows whether the token webhook reads aws-auth: the flag says it, or the right that the cluster has granted. */
const featuresOf = (
  deployed: ReadonlySet<Feature>,
  { withIdentity }: AdoptFlags,
  granted: Observation['granted'],
): ReadonlySet<Feature> =>
  withIdentity || granted.has('RoleBinding/kube-system/drover-identity-mapping')
    ? new Set([...deployed, 'identity' as const])
    : deployed;

/** The functions that ask the API server. */
const functionsThatAsk = (features: ReadonlySet<Feature>): readonly string[] => [
  'node-leaving',
  'node-joining',
  'sweep',
  'scale-api',
  ...(features.has('bootstrap') ? [optional.bootstrap] : []),
  ...(features.has('certificates') ? [optional.certificates] : []),
];

const readManifests = async (): Promise<readonly KubernetesObject[]> =>
  parseAllDocuments(await rbacManifests()).map((document) => document.toJS() as KubernetesObject);

async function instancesOfManagedGroups(
  client: AutoScalingClient,
  clusterName: string,
): Promise<ReadonlySet<string>> {
  const groups = (await readGroups(client, clusterName)).filter((group) => isManaged(group, clusterName));
  return new Set(groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
}
