import { isDeepStrictEqual } from 'node:util';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { forbidden } from '../api/errors.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { requestOf } from '../controllers/certificates/requests.ts';
import type { AdmissionRequest, UserInfo } from '../registry/context.ts';

interface Caller {
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
}

/**
 * CertificateApproval, CertificateSigning and CertificateSubjectRestriction: deciding for a signer, and signing for it, are
 * rights of their own; a client of the API server is not put into system:masters. Throws StatusError 403.
 */
export function admitCertificateRequest(request: AdmissionRequest, caller: Caller): void {
  if (request.operation === 'create' && request.subresource === undefined) return checkSubject(request);
  if (request.operation !== 'update') return;
  const { signerName } = (request.previous as CertificateSigningRequest).spec;
  const refuse = (verb: string): never => {
    const why = `user not permitted to ${verb} requests with signerName "${signerName}"`;
    throw forbidden(request.definition, request.name, why);
  };
  const may = (verb: string): boolean => maySign(caller, verb, signerName);
  if (request.subresource === 'approval' && !may('approve')) refuse('approve');
  if (request.subresource === 'status' && changesStatus(request) && !may('sign')) refuse('sign');
}

const changesStatus = ({ previous, next }: AdmissionRequest): boolean =>
  !isDeepStrictEqual(previous?.status, next?.status);

/** Of this signer, or of all of its domain: `kubernetes.io/*`. Source: pkg/certauthorization. */
function maySign({ user, authorizer }: Caller, verb: string, signerName: string): boolean {
  const names = [signerName, `${signerName.split('/')[0] ?? ''}/*`];
  return names.some((name) =>
    authorizer.isAllowed(user, { verb, group: 'certificates.k8s.io', resource: 'signers', name }),
  );
}

function checkSubject({ definition, name, next }: AdmissionRequest): void {
  const csr = next as CertificateSigningRequest;
  const signer = 'kubernetes.io/kube-apiserver-client';
  if (csr.spec.signerName !== signer) return;
  if (!requestOf(csr).subject.organizations.includes('system:masters')) return;
  throw forbidden(definition, name, `use of ${signer} signer with system:masters group is not allowed`);
}
