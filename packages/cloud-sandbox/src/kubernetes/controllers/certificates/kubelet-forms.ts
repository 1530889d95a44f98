import type { CertificateRequest } from '../../../x509/certificate-request.ts';

/** What a kubelet's request must be. Source: pkg/apis/certificates/helpers.go. Gives what is wrong with it, or nothing. */
type Form = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet';
export const kubeletServingSigner = 'kubernetes.io/kubelet-serving';

const isOfNodes = ({ subject: { organizations } }: CertificateRequest): boolean =>
  organizations.length === 1 && organizations[0] === 'system:nodes';

const notOfNodes = 'subject organization is not system:nodes';
const notANode = 'subject common name does not begin with system:node:';
const notAllowed = (type: string): string => `${type} subjectAltNames are not allowed`;
const isNode = ({ subject }: CertificateRequest): boolean => subject.commonName.startsWith('system:node:');

export const kubeletClientFault: Form = (request, usages) => {
  if (!isOfNodes(request)) return notOfNodes;
  if (request.dnsNames.length > 0) return notAllowed('DNS');
  if (request.emailAddresses.length > 0) return notAllowed('Email');
  if (request.ipAddresses.length > 0) return notAllowed('IP');
  if (request.uris.length > 0) return notAllowed('URI');
  return isNode(request) ? usageFault(usages, 'client auth') : notANode;
};

export const kubeletServingFault: Form = (request, usages) => {
  if (!isOfNodes(request)) return notOfNodes;
  if (request.dnsNames.length + request.ipAddresses.length === 0)
    return 'DNS or IP subjectAltName is required';
  if (request.emailAddresses.length > 0) return notAllowed('Email');
  if (request.uris.length > 0) return notAllowed('URI');
  return usageFault(usages, 'server auth') ?? (isNode(request) ? undefined : notANode);
};

function usageFault(usages: readonly string[], purpose: string): string | undefined {
  const least = ['digital signature', purpose].sort();
  const most = ['digital signature', 'key encipherment', purpose].sort();
  const given = [...new Set(usages)].sort().join();
  return given === least.join() || given === most.join()
    ? undefined
    : `usages did not match [${most.join(' ')}]`;
}

/** A client of the API server that is not a kubelet. Source: pkg/controller/certificates/signer. */
export const apiServerClientFault: Form = (_, usages) => {
  const other = usages.find(
    (usage) => !['client auth', 'digital signature', 'key encipherment'].includes(usage),
  );
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth';
};
