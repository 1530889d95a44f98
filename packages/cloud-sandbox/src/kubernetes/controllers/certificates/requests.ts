import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { type CertificateRequest, parseCertificateRequest } from '../../../x509/certificate-request.ts';
import type { Stored } from '../../store/object.ts';

export const requestsResource = 'certificatesigningrequests.certificates.k8s.io';

export type Csr = Stored<CertificateSigningRequest>;

export const hasCondition = ({ status }: Csr, ...types: readonly string[]): boolean =>
  status?.conditions?.some(({ type }) => types.includes(type)) ?? false;

/** The API server has stored no other than good ones. */
export const requestOf = ({ spec }: CertificateSigningRequest): CertificateRequest =>
  parseCertificateRequest(pemOf(spec));

export const pemOf = ({ request }: CertificateSigningRequest['spec']): string =>
  Buffer.from(request, 'base64').toString();
