import { badRequest } from './errors.ts';

/** What events.k8s.io/v1 is found by, and what that is in the core group. */
const fields: Readonly<Record<string, string>> = {
  'metadata.name': 'metadata.name',
  'metadata.namespace': 'metadata.namespace',
  ...Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((field) => [
      `regarding.${field}`,
      `involvedObject.${field}`,
    ]),
  ),
  reason: 'reason',
  reportingController: 'reportingComponent',
  type: 'type',
};

/** The query with its field selector in the words of the core group. Throws 400 for a field that is not one here. */
export function asCoreQuery(query: URLSearchParams): URLSearchParams {
  const selector = query.get('fieldSelector') ?? '';
  if (selector === '') return query;
  const core = new URLSearchParams(query);
  core.set('fieldSelector', selector.split(',').map(asCoreTerm).join(','));
  return core;
}

function asCoreTerm(term: string): string {
  const [, field = '', rest = ''] = /^([^!=]*)(.*)$/.exec(term) ?? [];
  const known = fields[field];
  if (known === undefined && rest !== '') throw badRequest(`field label not supported: ${field}`);
  return `${known ?? field}${rest}`;
}
