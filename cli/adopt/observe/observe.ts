import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { parseAllDocuments } from 'yaml';
import { readGroups } from '../../../shared/aws/auto-scaling.ts';
import { isManaged } from '../../../shared/groups/group.ts';
import type { HookNames } from '../../../shared/problems/hook-problems.ts';
import { isEks } from '../../approvers/built-in.ts';
import { readDeployments, stageServing } from '../../deployments/deployments.ts';
import { rulesNamed } from '../../deployments/rules-named.ts';
import { rbacManifests } from '../../rbac/rbac-manifests.ts';
import type { AdoptAccess } from '../access.ts';
import type { AdoptFlags } from '../flags.ts';
import type { Feature, KubernetesObject, Observation } from '../plan/observation.ts';
import { observeCluster } from './cluster.ts';
import { observeEks } from './eks.ts';
import { observeGroups } from './groups.ts';

/** Reads all that a plan depends on. Changes nothing. */
export async function observe(
  names: readonly string[],
  flags: AdoptFlags,
  access: AdoptAccess,
): Promise<Observation> {
  const { autoScaling, connections } = access;
  const { clusterName } = autoScaling;
  const [{ server }, deployment, manifests, managedInstanceIds] = await Promise.all([
    connections.connect(),
    findDeployment(access.events, { clusterName, stage: flags.stage }),
    readManifests(),
    instancesOfManagedGroups(autoScaling.client, clusterName),
  ]);
  const [cluster, { groups, unknownGroups }] = await Promise.all([
    observeCluster(access.api, manifests),
    observeGroups(names, access, flags.userData !== undefined),
  ]);
  const features = deployment && featuresOf(deployment.features, flags, cluster.granted);
  const eks = isEks(server)
    ? await observeEks(access, {
        clusterName,
        awsAuth: cluster.awsAuth,
        functions: deployment ? functionsThatAsk(deployment.features) : [],
        stage: deployment?.stage ?? '',
        nodeRoles: groups.flatMap(({ instanceRoleArn }) => instanceRoleArn ?? []),
      })
    : undefined;
  return {
    ...namesOf(autoScaling),
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

/** The deployment that serves the cluster, by its rules; undefined if there is none. Rejects if several may be meant. */
async function findDeployment(
  events: EventBridgeClient,
  asked: { readonly clusterName: string; readonly stage: string | undefined },
): Promise<Deployment | undefined> {
  const name = stageServing(await readDeployments(events), asked);
  if (name === undefined) return undefined;
  const rules = new Set((await rulesNamed(events, `drover-${name}-`)).map(({ Name }) => Name));
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
