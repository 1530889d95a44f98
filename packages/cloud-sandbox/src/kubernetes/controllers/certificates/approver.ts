import { createAuthorizer } from '../../authz/cluster-authorizer.ts';
import type { Registry } from '../../registry/registry.ts';
import { updateObject } from '../../registry/update.ts';
import { definitionOf } from '../../resources/definitions.ts';
import { createWorkQueue } from '../work-queue.ts';
import { kubeletClientFault, kubeletClientSigner } from './kubelet-forms.ts';
import { type Csr, hasCondition, requestOf, requestsResource } from './requests.ts';

/**
 * Approves kubelets' client certificates by itself, where the requester may create `selfnodeclient` or `nodeclient`: it
 * does not ask whether the name is the requester's machine. Source: pkg/controller/certificates/approver/sarapprove.go.
 */
export function startCertificateApprover(registry: Registry): void {
  const requests = registry.store.of(requestsResource);
  const authorizer = createAuthorizer(registry.store);
  const mayCreate = ({ spec }: Csr, subresource: string): boolean =>
    authorizer.isAllowed(
      { username: spec.username ?? '', groups: spec.groups ?? [] },
      { verb: 'create', group: 'certificates.k8s.io', resource: 'certificatesigningrequests', subresource },
    );
  const queue = createWorkQueue(registry.clock, (name) => {
    const csr = requests.get(undefined, name);
    if (csr === undefined || !isPending(csr)) return;
    const request = requestOf(csr);
    if (kubeletClientFault(request, csr.spec.usages ?? []) !== undefined) return;
    const isOwn = csr.spec.username === request.subject.commonName && mayCreate(csr, 'selfnodeclient');
    if (isOwn) approve(registry, csr, 'Auto approving self kubelet client certificate');
    else if (mayCreate(csr, 'nodeclient'))
      approve(registry, csr, 'Auto approving kubelet client certificate');
  });
  requests.subscribe(({ type, object }) => {
    if (type !== 'DELETED' && isPending(object)) queue.add(object.metadata.name);
  });
}

const isPending = (csr: Csr): boolean =>
  csr.spec.signerName === kubeletClientSigner && !hasCondition(csr, 'Approved', 'Denied');

function approve(registry: Registry, previous: Csr, what: string): void {
  const message = `${what} after SubjectAccessReview.`;
  const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
  const conditions = [...(previous.status?.conditions ?? []), condition];
  const next = { ...previous, status: { ...previous.status, conditions } };
  const definition = definitionOf(requestsResource);
  updateObject(registry, { definition, previous, next, subresource: 'approval' });
}
