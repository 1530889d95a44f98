import { isDeepStrictEqual } from 'node:util';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { forbidden } from '../api/errors.ts';
import { kubeletClientSigner, kubeletServingSigner } from '../controllers/certificates/kubelet-forms.ts';
import { requestOf } from '../controllers/certificates/requests.ts';
import type { AdmissionRequest } from '../registry/context.ts';
import { resourceKey } from '../resources/definition.ts';
import type { Store } from '../store/store.ts';
import { forbiddenNodeLabels } from './node-labels.ts';

interface Restricted {
  readonly nodeName: string;
  readonly store: Store;
}

/** What is wrong with a node's write, or nothing. */
type Restriction = (request: AdmissionRequest, restricted: Restricted) => string | undefined;

/** A node writes only about itself and its pods. Throws StatusError 403. Source: plugin/pkg/admission/noderestriction. */
export function restrictNode(request: AdmissionRequest, restricted: Restricted): void {
  const fault = restrictions.get(resourceKey(request.definition))?.(request, restricted);
  if (fault !== undefined) throw forbidden(request.definition, request.name, fault);
}

const ofNode: Restriction = ({ operation, name, previous, next }, { nodeName }) => {
  if (name !== nodeName) return `node "${nodeName}" is not allowed to modify node "${name}"`;
  const [before, after] = [previous, next] as readonly (Node | undefined)[];
  const labels = forbiddenNodeLabels(before?.metadata?.labels, after?.metadata?.labels);
  if (operation === 'create')
    return labels === undefined
      ? undefined
      : `node "${nodeName}" is not allowed to set the following labels: ${labels}`;
  if (operation !== 'update') return undefined;
  if (!isDeepStrictEqual(before?.spec?.taints ?? [], after?.spec?.taints ?? []))
    return `node "${nodeName}" is not allowed to modify taints`;
  if (!isDeepStrictEqual(before?.metadata?.ownerReferences ?? [], after?.metadata?.ownerReferences ?? []))
    return `node "${nodeName}" is not allowed to modify ownerReferences`;
  return labels === undefined ? undefined : `is not allowed to modify labels: ${labels}`;
};

const mirrorAnnotation = 'kubernetes.io/config.mirror';

const ofPod: Restriction = (request, restricted) => {
  const { operation, subresource, previous, next } = request;
  const { nodeName } = restricted;
  const before = previous as Pod | undefined;
  if (subresource === 'status') return ofPodStatus(before, next as Pod, nodeName);
  if (operation === 'delete')
    return before?.spec?.nodeName === nodeName
      ? undefined
      : `node "${nodeName}" can only delete pods with spec.nodeName set to itself`;
  if (operation === 'create') return ofMirrorPod(next as Pod, restricted);
  return `unexpected operation "UPDATE", node "${nodeName}" can only create and delete mirror pods`;
};

function ofPodStatus(before: Pod | undefined, after: Pod, nodeName: string): string | undefined {
  if (before?.spec?.nodeName !== nodeName)
    return `node "${nodeName}" can only update pod status for pods with spec.nodeName set to itself`;
  return isDeepStrictEqual(before.metadata?.labels ?? {}, after.metadata?.labels ?? {})
    ? undefined
    : `node "${nodeName}" cannot update labels through pod status`;
}

function ofMirrorPod({ metadata, spec }: Pod, { nodeName, store }: Restricted): string | undefined {
  if (metadata?.annotations?.[mirrorAnnotation] === undefined)
    return `pod does not have "${mirrorAnnotation}" annotation, node "${nodeName}" can only create mirror pods`;
  if (spec?.nodeName !== nodeName)
    return `node "${nodeName}" can only create pods with spec.nodeName set to itself`;
  const [owner, ...others] = metadata.ownerReferences ?? [];
  if (others.length > 0)
    return `node "${nodeName}" can only create pods with a single owner reference set to itself`;
  if (owner?.kind !== 'Node' || owner.name !== nodeName)
    return `node "${nodeName}" can only create pods with an owner reference set to itself`;
  const uid = store.of('nodes').get(undefined, nodeName)?.metadata.uid ?? '';
  return owner.uid === uid ? undefined : `node ${nodeName} UID mismatch: expected ${owner.uid} got ${uid}`;
}

const ofLease: Restriction = ({ name }, { nodeName }) =>
  name === nodeName ? undefined : 'can only access node lease with the same name as the requesting node';

const ofCsiNode: Restriction = ({ name }, { nodeName }) =>
  name === nodeName ? undefined : 'can only access CSINode with the same name as the requesting node';

const ofCertificateRequest: Restriction = ({ operation, next }, { nodeName }) => {
  const csr = next as CertificateSigningRequest;
  if (operation !== 'create' || ![kubeletClientSigner, kubeletServingSigner].includes(csr.spec.signerName))
    return undefined;
  const wanted = `system:node:${nodeName}`;
  return requestOf(csr).subject.commonName === wanted
    ? undefined
    : `can only create a node CSR with CN=${wanted}`;
};

const restrictions: ReadonlyMap<string, Restriction> = new Map([
  ['nodes', ofNode],
  ['pods', ofPod],
  ['leases.coordination.k8s.io', ofLease],
  ['csinodes.storage.k8s.io', ofCsiNode],
  ['certificatesigningrequests.certificates.k8s.io', ofCertificateRequest],
]);
