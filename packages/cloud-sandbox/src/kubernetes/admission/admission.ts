import type { Authorizer } from '../authz/authorizer.ts';
import { nodeNameOf } from '../authz/node-authorizer.ts';
import type { AdmissionRequest, UserInfo } from '../registry/context.ts';
import { resourceKey } from '../resources/definition.ts';
import type { Store } from '../store/store.ts';
import { admitCertificateRequest } from './certificate-admission.ts';
import { restrictNode } from './node-restriction.ts';

/** Whether a user's write is admitted. Throws StatusError 403. */
export type Admission = (user: UserInfo, request: AdmissionRequest) => void;

/** The admission plugins that judge the caller: NodeRestriction, and those of certificate requests. */
export function createAdmission({
  store,
  authorizer,
  hasSigners,
}: {
  readonly store: Store;
  readonly authorizer: Authorizer;
  /** False before Kubernetes 1.18: approvals need no right on the signer. */
  readonly hasSigners: boolean;
}): Admission {
  return (user, request) => {
    const nodeName = nodeNameOf(user);
    if (nodeName !== undefined) restrictNode(request, { nodeName, store });
    if (hasSigners && resourceKey(request.definition) === 'certificatesigningrequests.certificates.k8s.io')
      admitCertificateRequest(request, { user, authorizer });
  };
}
