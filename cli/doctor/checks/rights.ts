import { isServed, signedRequests } from '../../../shared/kubernetes/served-version.ts';
import { type DeployedFeature, deployedFeatures } from '../../deployments/features.ts';
import { type Reviewed, reviewRight } from '../access-review.ts';
import { checkOf, type Finding } from '../check.ts';
import { type Need, type Right, rightsByNeed, rightsFor, textOfRight } from '../rights-of-drover.ts';

/** The authorizer's answers for one identity. */
interface ReviewedIdentity {
  /** Kubernetes before 1.18, such as 1.11 of OpenShift 3.11, has none. */
  readonly hasSigners: boolean;
  /** Undefined if it is the only identity of the deployment. */
  readonly name: string | undefined;
  readonly needed: readonly Reviewed[];
  readonly excess: readonly Reviewed[];
}

/** What each of Drover's identities may do in the cluster, verb by verb, as its API server's authorizer says. */
export const rights = checkOf({
  name: 'rights',
  read: async ({ api, identities, connections, events, stage }) => {
    // Without the kubeconfig the rest is not worth a question.
    await connections.connect();
    const features = await deployedFeatures(events, await stage());
    const off = needsWithout(features);
    const hasSigners = !features.has('certificates') || (await isServed(api, signedRequests));
    return await Promise.all(
      identities.map(async (identity): Promise<ReviewedIdentity> => {
        const { needed, excess } = rightsFor(
          identity.needs.filter((need) => !off.has(need)),
          { hasSigners },
        );
        const reviewAll = (all: readonly Right[]) =>
          Promise.all(all.map((right) => reviewRight(identity.api, right)));
        return {
          hasSigners,
          name: identities.length > 1 ? identity.needs.join(' and ') : undefined,
          needed: await reviewAll(needed),
          excess: await reviewAll(excess),
        };
      }),
    );
  },
  judge: (identities) => identities.flatMap(judgeRights),
});

/** Rights of a feature that is off are spare, and no one may be asked to grant them. */
const needsWithout = (features: ReadonlySet<DeployedFeature>): ReadonlySet<Need> =>
  new Set([
    ...(features.has('bootstrap') ? [] : (['credentials'] as const)),
    ...(features.has('certificates') ? [] : (['certificates'] as const)),
  ]);

const commandFor = (hasSigners: boolean): string =>
  hasSigners ? 'drover rbac | kubectl apply -f -' : 'drover rbac --openshift-3.11 | oc apply -f -';

/** Pure. */
export function judgeRights({ hasSigners, name, needed, excess }: ReviewedIdentity): readonly Finding[] {
  const command = commandFor(hasSigners);
  const denied = needed.filter(({ isAllowed }) => !isAllowed);
  const allowed: Finding = {
    verdict: 'ok',
    subject: name ?? 'Drover',
    message: `it may do ${needed.length - denied.length} of the ${needed.length} things that it does`,
  };
  const subjectOf = (right: Right) => `${name === undefined ? '' : `${name}: `}${textOfRight(right)}`;
  return [
    allowed,
    ...denied.map((right) => ({ ...deniedFinding(right, command), subject: subjectOf(right) })),
    ...excess
      .filter(({ isAllowed }) => isAllowed)
      .map((right) => ({ ...excessFinding(right, command), subject: subjectOf(right) })),
  ];
}

const deniedFinding = (right: Right, command: string): Omit<Finding, 'subject'> => ({
  verdict: right.onlyFor ? 'advice' : 'fix',
  message: right.onlyFor
    ? `Drover may not do this, which only ${right.onlyFor} needs`
    : 'Drover may not do this',
  command,
});

/** A verb that the manifest grants no identity goes with the manifest. Another one comes from a binding that names a wrong subject. */
const excessFinding = (right: Right, command: string): Omit<Finding, 'subject'> => ({
  verdict: 'advice',
  message: 'this identity may do this and does not need it',
  command: bindingOf(right) ?? command,
});

function bindingOf(right: Right): string | undefined {
  const isOneOf = (all: readonly Right[]) => all.some((one) => textOfRight(one) === textOfRight(right));
  if (right.group === 'certificates.k8s.io') return 'kubectl edit clusterrolebinding drover-certificates';
  if (right.group === 'rbac.authorization.k8s.io') return 'kubectl edit clusterrolebinding drover-doctor';
  if (isOneOf(rightsByNeed.credentials))
    return 'kubectl edit rolebinding drover-bootstrap-tokens --namespace kube-system';
  if (right.resource === 'configmaps')
    return 'kubectl edit rolebinding drover-identity-mapping --namespace kube-system';
  if (isOneOf(rightsByNeed.reader)) return 'kubectl edit clusterrolebinding drover-reader';
  if (right.resource === 'events') return 'kubectl edit rolebinding drover-node-events --namespace default';
  return isOneOf(rightsByNeed['node-leaving']) ? 'kubectl edit clusterrolebinding drover' : undefined;
}
