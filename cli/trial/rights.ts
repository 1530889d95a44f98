import type { Api } from '../../shared/kubernetes/api.ts';
import { type Reviewed, reviewRight } from '../doctor/access-review.ts';
import type { Right } from '../doctor/rights-of-drover.ts';
import { trialNamespace } from './record.ts';

const within = (group: string, resource: string, verbs: readonly string[]): readonly Right[] =>
  verbs.map((verb) => ({ group, resource, verb, namespace: trialNamespace }));

const everywhere = (resource: string, verbs: readonly string[]): readonly Right[] =>
  verbs.map((verb) => ({ group: '', resource, verb }));

/** What a trial needs in the cluster. */
const rights: readonly Right[] = [
  ...everywhere('namespaces', ['create', 'get', 'patch', 'delete']),
  ...everywhere('nodes', ['get', 'list', 'patch']),
  ...everywhere('pods', ['list']),
  ...within('', 'pods', ['create']),
  ...within('apps', 'replicasets', ['create', 'get', 'patch', 'delete']),
  ...within('policy', 'poddisruptionbudgets', ['create', 'delete']),
];

/** The rights that the operator lacks, as `patch nodes`: without one, a trial would fail only after the launch. */
export async function missingRights(api: Api): Promise<readonly string[]> {
  const reviewed = await Promise.all(rights.map((right) => reviewRight(api, right)));
  return reviewed.filter(({ isAllowed }) => !isAllowed).map(nameOf);
}

const nameOf = ({ verb, resource, group, namespace }: Reviewed): string =>
  `${verb} ${resource}${group && `.${group}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
