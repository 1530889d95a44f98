import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { parseAllDocuments } from 'yaml';
import { readGroups } from '../../../shared/aws/auto-scaling.ts';
import { isEks } from '../../../shared/certificates/built-in-approvers.ts';
import { isManaged } from '../../../shared/groups/group.ts';
import type { HookNames } from '../../../shared/problems/hook-problems.ts';
import { readDeployments, stageServing } from '../../deployments/deployments.ts';
import { deployedFeatures, functionOf } from '../../deployments/features.ts';
import { rbacManifests } from '../../rbac/rbac-manifests.ts';
import { type Selection, selectManifests } from '../../rbac/select.ts';
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
  const [{ server }, deployment, managedInstanceIds] = await Promise.all([
    connections.connect(),
    findDeployment(access.events, { clusterName, stage: flags.stage }),
    instancesOfManagedGroups(autoScaling.client, clusterName),
  ]);
  const manifests = await readManifests({ hasServiceAccount: !isEks(server) });
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
        nodeRoles: groups.flatMap(({ instanceRoleArns }) => instanceRoleArns),
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

/** The deployment that serves the cluster, by its rules; undefined if there is none. Rejects if several may be meant. */
async function findDeployment(
  events: EventBridgeClient,
  asked: { readonly clusterName: string; readonly stage: string | undefined },
): Promise<Deployment | undefined> {
  const name = stageServing(await readDeployments(events), asked);
  if (name === undefined) return undefined;
  return { stage: name, features: await deployedFeatures(events, name) };
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
  ...(features.has('bootstrap') ? [functionOf.bootstrap] : []),
  ...(features.has('certificates') ? [functionOf.certificates] : []),
  ...(features.has('pod-holds') ? [functionOf['pod-holds']] : []),
  ...(features.has('rolls') ? [functionOf.rolls] : []),
];

/** On EKS the functions sign in with IAM, so a ServiceAccount with their rights would be one more way in. */
const readManifests = async (
  parts: Pick<Selection, 'hasServiceAccount'>,
): Promise<readonly KubernetesObject[]> =>
  parseAllDocuments(selectManifests(await rbacManifests(), { ...parts, without: [] })).map(
    (document) => document.toJS() as KubernetesObject,
  );

async function instancesOfManagedGroups(
  client: AutoScalingClient,
  clusterName: string,
): Promise<ReadonlySet<string>> {
  const groups = (await readGroups(client, clusterName)).filter((group) => isManaged(group, clusterName));
  return new Set(groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
}
