/** A simulated Kubernetes cluster: API server, controllers, scheduler and kubelets. */

export { createCertificateRequest } from '../x509/certificate-request.ts';
export { createKey } from '../x509/key.ts';
export type { JwtAuthenticator, JwtClaims } from './authn/jwt.ts';
export { isReady } from './eviction/eviction.ts';
export type { Kubelet } from './kubelet/kubelet.ts';
export type { KubeletOptions } from './kubelet/node-object.ts';
export { createKubernetes, type Kubernetes, type KubernetesOptions } from './kubernetes.ts';
export {
  attributesOfCall,
  deniedByWebhook,
  etcdTimedOut,
  forbiddenByRbac,
  type Refusal,
  requestTimedOut,
  tooManyRequests,
  webhookUnreachable,
} from './refusals.ts';
export { createObject } from './registry/create.ts';
export { definitionOf } from './resources/definitions.ts';
export { controllerOf } from './store/object.ts';
export { type CertificateAuthority, createCertificateAuthority } from './wire/certificates.ts';
export { kubeconfigText } from './wire/kubeconfig.ts';
export { type KubernetesServer, serveKubernetes } from './wire/server.ts';
