import { badRequest } from '../api/errors.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';

export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Beside metadata.name and metadata.namespace, some resources have their own; others are refused, as the real server does. */
const supported: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  secrets: ['type'],
  namespaces: ['status.phase'],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
  replicationcontrollers: ['status.replicas'],
  services: ['spec.clusterIP', 'spec.type'],
  'jobs.batch': ['status.successful'],
};

const common = ['metadata.name', 'metadata.namespace'];

/** A resource that has fields of its own is refused in words of its own. */
const notSupported = (field: string, hasOwn: boolean) =>
  badRequest(
    hasOwn
      ? `field label not supported: ${field}`
      : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );

/** `a=b,c!=d`. Throws 400 for what cannot be read or is not supported for the resource. */
export function parseFieldSelector(text: string, resource: string): readonly FieldTerm[] {
  const own = supported[resource];
  const fields = [...common, ...(own ?? [])];
  return text
    .split(',')
    .filter((term) => term !== '')
    .map((term) => {
      const parsed = /^([\w.]+)(!=|==|=)(.*)$/.exec(term);
      if (parsed === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
      const field = parsed[1] ?? '';
      if (!fields.includes(field)) throw notSupported(field, own !== undefined);
      return { field, equal: parsed[2] !== '!=', value: parsed[3] ?? '' };
    });
}

export function matchesFields(object: Stored<KubernetesObject>, terms: readonly FieldTerm[]): boolean {
  return terms.every(({ field, equal, value }) => (fieldOf(object, field) === value) === equal);
}

/** An absent field reads as the empty value of its type. */
function fieldOf(object: object, path: string): string {
  let value: unknown = object;
  for (const step of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  }
  if (value === undefined || value === null) return path === 'spec.unschedulable' ? 'false' : '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
