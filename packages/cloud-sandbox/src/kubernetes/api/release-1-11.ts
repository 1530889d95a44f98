import { noSuchResource, notAcceptable } from './errors.ts';
import { pageNotFound } from './pages.ts';
import { type ApiRequest, type ApiResponse, jsonResponse } from './request.ts';
import { failure } from './status-error.ts';
import { statusResponse } from './status-response.ts';

type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/**
 * By group, what Kubernetes 1.11 serves of the resources that this server has, with the versions of each, the preferred one first. What is
 * missing came later. The list is from memory: compare it with `oc api-resources` of a 3.11 cluster.
 */
const served: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  apps: ofAll(['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'], 'v1'),
  batch: { jobs: ['v1'], cronjobs: ['v1beta1'] },
  policy: { poddisruptionbudgets: ['v1beta1'] },
  'events.k8s.io': { events: ['v1beta1'] },
  'storage.k8s.io': { storageclasses: ['v1', 'v1beta1'], volumeattachments: ['v1beta1'] },
  'certificates.k8s.io': { certificatesigningrequests: ['v1beta1'] },
  'rbac.authorization.k8s.io': ofAll(
    ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
    'v1',
    'v1beta1',
  ),
  'scheduling.k8s.io': { priorityclasses: ['v1beta1'] },
  'apiextensions.k8s.io': { customresourcedefinitions: ['v1beta1'] },
  'authentication.k8s.io': { tokenreviews: ['v1', 'v1beta1'] },
  'authorization.k8s.io': ofAll(
    [
      'localsubjectaccessreviews',
      'selfsubjectaccessreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
    ],
    'v1',
    'v1beta1',
  ),
};

function ofAll(plurals: readonly string[], ...versions: readonly string[]) {
  return Object.fromEntries(plurals.map((plural) => [plural, versions]));
}

/**
 * The API server in front of `handle` as one of release 1.11: its groups and versions, its discovery documents, metadata of objects as
 * `meta.k8s.io/v1beta1`, evictions of `policy/v1beta1`. Certificate requests have no signer and no admission of their own, and approvals no PATCH.
 * Validation, the other admission and controllers are those of the current release.
 */
export function asRelease111(handle: Handle): Handle {
  return async (request) => {
    const [path = '', query] = request.path.split('?');
    const steps = path.split('/').filter((step) => step !== '');
    if (/^\/(livez|readyz|openapi\/v3)(\/|$)/.test(path)) return pageNotFound();
    if (path === '/version') return jsonResponse(200, { major: '1', minor: '11+', gitVersion: 'v1.11.0' });
    if (isDiscovery(steps)) return await discovery(handle, { ...request, path });
    const accept = acceptOf(request);
    if (accept === '') return statusResponse(notAcceptable());
    const old = { ...request, ...(accept && { headers: { ...request.headers, accept } }) };
    if (steps[0] === 'api') return await core(handle, old, steps);
    if (steps[0] === 'apis') return await grouped(handle, old, { steps, query });
    return await handle(old);
  };
}

const isDiscovery = ([root, ...rest]: readonly string[]): boolean =>
  (root === 'api' && rest.length <= 1) || (root === 'apis' && rest.length <= 2);

/** The ranges of the Accept header that 1.11 knows; empty if it knows none. */
function acceptOf({ headers }: ApiRequest): string | undefined {
  return headers['accept']
    ?.split(',')
    .filter((range) => !/;\s*as=/.test(range) || /;\s*v=v1beta1\b/.test(range))
    .join(',');
}

async function core(handle: Handle, request: ApiRequest, steps: readonly string[]): Promise<ApiResponse> {
  const part = steps[6];
  if (steps[4] === 'serviceaccounts' && part === 'token') return statusResponse(noSuchResource());
  const apiVersion = part === 'eviction' ? fieldsOf(request.body)['apiVersion'] : undefined;
  if (apiVersion === 'policy/v1')
    return badVersion(
      `Eviction in version "v1" cannot be handled as a Eviction: no kind "Eviction" is registered for version "${apiVersion}"`,
    );
  return inOldForm(await handle(request));
}

interface Address {
  readonly steps: readonly string[];
  readonly query: string | undefined;
}

/** A resource that 1.11 has not in this version gets a version that `handle` does not have, which authorizes the request before it answers 404. */
async function grouped(handle: Handle, request: ApiRequest, { steps, query }: Address): Promise<ApiResponse> {
  const [, group = '', version = '', ...rest] = steps;
  if (served[group] === undefined) return pageNotFound();
  const plural = rest[0] === 'namespaces' ? (rest[2] ?? '') : (rest[0] ?? '');
  const isServed = served[group][plural]?.includes(version) === true;
  const inner = ['', 'apis', group, isServed ? 'v1' : 'unserved', ...rest].join('/');
  const path = query === undefined ? inner : `${inner}?${query}`;
  if (!isServed || version === 'v1') return inOldForm(await handle({ ...request, path }));
  if (plural === 'certificatesigningrequests' && query?.includes('signerName'))
    return badVersion('field label not supported: spec.signerName');
  if (rest.at(-1) === 'approval' && request.method !== 'PUT') return methodOfApproval();
  const body = request.body && bodyInCurrentForm(request.body, group);
  const response = await handle({ ...request, path, ...(body && { body }) });
  return inOldForm(response, { group, version });
}

const badVersion = (message: string): ApiResponse =>
  statusResponse(failure({ code: 400, reason: 'BadRequest', message }));

const methodOfApproval = (): ApiResponse =>
  statusResponse(
    failure({
      code: 405,
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
    }),
  );

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(body: string | undefined): Fields {
  try {
    return Object(JSON.parse(body ?? '{}'));
  } catch (error) {
    // Of another media type, or malformed: `handle` refuses it.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The signer of a request follows from its usages (as `certificates/v1beta1/defaults.go` of 1.18 has it, for requests of old clients). */
const signerOf = (usages: unknown): string =>
  Array.isArray(usages) && usages.includes('server auth')
    ? 'kubernetes.io/kubelet-serving'
    : 'kubernetes.io/kube-apiserver-client-kubelet';

function bodyInCurrentForm(body: string, group: string): string {
  const fields = fieldsOf(body);
  if (fields['kind'] === undefined) return body;
  const spec = Object(fields['spec']);
  const isRequest = fields['kind'] === 'CertificateSigningRequest' && fields['spec'] !== undefined;
  return JSON.stringify({
    ...fields,
    apiVersion: `${group}/v1`,
    ...(isRequest && { spec: { ...spec, signerName: signerOf(spec.usages) } }),
  });
}

/** An answer with the version that was asked for, and metadata in theirs. A watch keeps the current form. */
function inOldForm(response: ApiResponse, asked?: { readonly group: string; readonly version: string }) {
  const fields = fieldsOf(response.body);
  const { apiVersion } = fields;
  if (apiVersion === 'meta.k8s.io/v1')
    return { ...response, body: JSON.stringify({ ...fields, apiVersion: 'meta.k8s.io/v1beta1' }) };
  if (asked === undefined || apiVersion !== `${asked.group}/v1`) return response;
  const old = (object: Fields): Fields => ({
    ...object,
    ...(object['apiVersion'] !== undefined && { apiVersion: `${asked.group}/${asked.version}` }),
    ...(String(fields['kind']).startsWith('CertificateSigningRequest') &&
      object['spec'] !== undefined && { spec: withoutSigner(Object(object['spec'])) }),
  });
  const items = Array.isArray(fields['items']) ? { items: fields['items'].map(old) } : {};
  return { ...response, body: JSON.stringify({ ...old(fields), ...items }) };
}

const withoutSigner = (spec: Fields): Fields =>
  Object.fromEntries(
    Object.entries(spec).filter(([key]) => key !== 'signerName' && key !== 'expirationSeconds'),
  );

/** The documents of each group and version. The aggregated one came in 1.26. */
async function discovery(handle: Handle, request: ApiRequest): Promise<ApiResponse> {
  const plain = { ...request, headers: { ...request.headers, accept: 'application/json' } };
  const [, root, group, version] = request.path.replace(/\/$/, '').split('/');
  if (root === 'api') {
    const response = await handle(plain);
    return group === undefined ? response : withResources(response, coreEntry);
  }
  const answered = await handle({ ...plain, path: '/apis' });
  if (answered.status !== 200) return answered;
  if (group === undefined)
    return jsonResponse(200, {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: Object.keys(served).map(apiGroup),
    });
  const resources = served[group];
  if (resources === undefined) return pageNotFound();
  if (version === undefined)
    return jsonResponse(200, { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) });
  if (!versionsOf(group).includes(version)) return pageNotFound();
  const all = await handle({ ...plain, path: `/apis/${group}/v1` });
  return withResources(
    all,
    (entry) => (resources[entry.name.split('/')[0] ?? '']?.includes(version) ? [entry] : []),
    `${group}/${version}`,
  );
}

interface Entry {
  readonly name: string;
  readonly version?: string;
}

const coreEntry = (entry: Entry): readonly Entry[] => {
  if (entry.name === 'serviceaccounts/token') return [];
  return [entry.name === 'pods/eviction' ? { ...entry, version: 'v1beta1' } : entry];
};

function withResources(
  response: ApiResponse,
  keep: (entry: Entry) => readonly Entry[],
  groupVersion?: string,
): ApiResponse {
  const fields = fieldsOf(response.body);
  if (!Array.isArray(fields['resources'])) return response;
  return jsonResponse(200, {
    ...fields,
    ...(groupVersion !== undefined && { groupVersion }),
    resources: (fields['resources'] as readonly Entry[]).flatMap(keep),
  });
}

const versionsOf = (group: string): readonly string[] => [
  ...new Set(Object.values(served[group] ?? {}).flat()),
];

function apiGroup(name: string): object {
  const versions = versionsOf(name).map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}
