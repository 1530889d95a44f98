import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { judgeRollout, restartAnnotation } from '../../../shared/draining/rollout-restart.ts';
import { type Reviewed, reviewRight } from '../access-review.ts';
import { checkOf, type Finding } from '../check.ts';
import { type Right, textOfRight } from '../rights-of-drover.ts';

interface ObservedRollouts {
  /** Undefined if Drover may not list them. */
  readonly deployments: readonly Deployment[] | undefined;
  /** The rights of drover-restarter in the namespaces of the Deployments that ask. */
  readonly rights: readonly Reviewed[];
  /** Whether Drover may patch the Deployments of every namespace. */
  readonly mayPatchAll: boolean;
}

/** The ClusterRole drover-restarter of deploy/rbac.yaml: a test compares the two. */
export const restarterRights: readonly Right[] = [
  { verb: 'get', group: 'apps', resource: 'replicasets' },
  { verb: 'get', group: 'apps', resource: 'deployments' },
  { verb: 'patch', group: 'apps', resource: 'deployments' },
];

const patchAll: Right = { verb: 'patch', group: 'apps', resource: 'deployments' };

/** Whether Drover can restart the rollouts of the Deployments that ask for it before an eviction. */
export const rollouts = checkOf({
  name: 'rollouts',
  read: async ({ api, deployments: read }): Promise<ObservedRollouts> => {
    const deployments = await read();
    const namespaces = Object.keys(Object.groupBy(askingOf(deployments ?? []), namespaceOf));
    const [{ isAllowed: mayPatchAll }, rights] = await Promise.all([
      reviewRight(api, patchAll),
      Promise.all(
        namespaces.flatMap((namespace) =>
          restarterRights.map((right) => reviewRight(api, { ...right, namespace })),
        ),
      ),
    ]);
    return { deployments, rights, mayPatchAll };
  },
  judge: judgeRollouts,
});

const namespaceOf = ({ metadata }: Deployment): string => metadata?.namespace ?? '';

const nameOf = ({ metadata }: Deployment): string => metadata?.name ?? '';

/** Those without pods are not evicted. */
const askingOf = (deployments: readonly Deployment[]): readonly Deployment[] =>
  deployments.filter(
    ({ metadata, spec }) =>
      spec?.template.metadata?.annotations?.[restartAnnotation] === 'true' &&
      spec.replicas !== 0 &&
      metadata?.deletionTimestamp === undefined,
  );

/** Pure. */
export function judgeRollouts({ deployments, rights, mayPatchAll }: ObservedRollouts): readonly Finding[] {
  if (deployments === undefined)
    return [
      {
        verdict: 'advice',
        subject: 'Deployments',
        message:
          'Drover may not list them, so it is not known whether one asks for a rollout before an eviction',
        command: 'drover rbac | kubectl apply -f -',
      },
    ];
  const asking = askingOf(deployments);
  const none: Finding = {
    verdict: 'ok',
    subject: 'Deployments',
    message: 'none asks for a rollout before an eviction',
  };
  return [
    ...(asking.length === 0 ? [none] : []),
    ...[...Map.groupBy(asking, namespaceOf)].map(([namespace, own]) =>
      judgeNamespace(namespace, own, rights),
    ),
    ...asking.flatMap(judgeStrategy),
    ...(mayPatchAll ? [excess] : []),
  ];
}

const excess: Finding = {
  verdict: 'advice',
  subject: textOfRight(patchAll),
  message:
    'Drover may do this in every namespace, and so may run anything: bind the role drover-restarter only in the namespaces of Deployments that ask for a rollout before an eviction',
};

function judgeNamespace(
  namespace: string,
  deployments: readonly Deployment[],
  rights: readonly Reviewed[],
): Finding {
  const denied = rights.filter((right) => right.namespace === namespace && !right.isAllowed);
  const names = namesOf(deployments);
  if (denied.length === 0)
    return {
      verdict: 'ok',
      subject: namespace,
      message: `Drover may restart the rollouts of ${names}`,
    };
  return {
    verdict: 'advice',
    subject: namespace,
    message: `pods of ${names} are evicted without the rollout that they ask for: Drover may not ${denied.map(textOfRight).join(', ')}`,
    command: `kubectl --namespace ${shellWord(namespace)} create rolebinding drover-restarter --clusterrole=drover-restarter --group=drover --serviceaccount=kube-system:drover`,
  };
}

function namesOf(deployments: readonly Deployment[]): string {
  const more = deployments.length - 3;
  return `${deployments.slice(0, 3).map(nameOf).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whatever its rights, a rollout that ends a pod first is no better than an eviction. */
function judgeStrategy(deployment: Deployment): Finding | [] {
  const verdict = judgeRollout(deployment, deployment.spec?.replicas ?? 1);
  if (verdict.kind !== 'evict') return [];
  const [namespace, name] = [namespaceOf(deployment), nameOf(deployment)];
  return {
    verdict: 'advice',
    subject: `${namespace}/${name}`,
    message: `its pods are evicted without the rollout that it asks for: ${verdict.why}`,
    command: `kubectl --namespace ${shellWord(namespace)} edit deployment ${shellWord(name)}`,
  };
}
