import type { SendHttp } from '../net/http.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import type { Random } from '../simulation/random.ts';
import { createAdmission } from './admission/admission.ts';
import { type BeforeRequest, createDoor } from './api/door.ts';
import { createLister } from './api/list.ts';
import { asRelease111 } from './api/release-1-11.ts';
import type { ApiRequest, ApiResponse } from './api/request.ts';
import { createRequestCounter, type RequestCounter } from './api/request-counter.ts';
import { sendHttpTo } from './api/send-http.ts';
import { createWatchCache, currentCache } from './api/watch-cache.ts';
import { createAuthenticator, type TokenAuthenticator } from './authn/authenticator.ts';
import { authenticateBootstrapToken } from './authn/bootstrap-token.ts';
import { createCertificateAuthenticator } from './authn/client-certificate.ts';
import { authenticateJwt, type JwtAuthenticator } from './authn/jwt.ts';
import { serviceAccountTokensOf } from './authn/service-account-tokens.ts';
import { createAuthorizer } from './authz/cluster-authorizer.ts';
import { fillCluster } from './cluster-content.ts';
import { type SignCertificate, startCertificateSigner } from './controllers/certificates/signer.ts';
import { type ControllerName, startControllers } from './controllers/start.ts';
import { createPodDispatcher } from './kubelet/dispatcher.ts';
import { type Kubelet, startKubelet } from './kubelet/kubelet.ts';
import type { KubeletOptions } from './kubelet/node-object.ts';
import { createPodAddresses } from './kubelet/pod-addresses.ts';
import type { UserInfo } from './registry/context.ts';
import { createRegistry, type Registry } from './registry/registry.ts';
import { createStore, type Store } from './store/store.ts';

export interface KubernetesOptions {
  readonly clock: SimulationClock;
  readonly random: Random;
  /** PEM. Client certificates that it signed are accepted; without it none are. */
  readonly certificateAuthority?: string;
  /**
   * `implied` (default): heartbeats of living kubelets are not written, so a Lease keeps its first renewTime; `written`:
   * every ten seconds, for people to look at.
   */
  readonly heartbeats?: 'implied' | 'written';
  /** Issues the certificates of approved requests; without it none are issued. */
  readonly signCertificate?: SignCertificate;
  /** `--cluster-signing-duration` of the controller manager; default a year. */
  readonly signingSeconds?: number;
  /** Asked about bearer tokens that the cluster itself does not know: a token webhook. */
  readonly authenticateToken?: TokenAuthenticator;
  /** Remembers which revision was when, for reads from a watch cache that is behind. */
  readonly keepsPast?: boolean;
  /** Which controllers of the controller manager run; default: all that there are. */
  readonly controllers?: readonly ControllerName[];
  /** Serves the groups and versions of this release only; default: those of Kubernetes 1.34. */
  readonly release?: '1.11';
}

/**
 * A simulated Kubernetes cluster: API server, controllers, scheduler, kubelets. Its limits: one version (v1) of each
 * resource; no admission webhooks, quotas, custom resources, API priority and admission policies (FlowSchemas and
 * ValidatingAdmissionPolicies are stored, not obeyed), preemption, Jobs or metrics; fields are not validated against schemas.
 */
export interface Kubernetes {
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>;
  readonly sendHttp: SendHttp;
  readonly store: Store;
  /** The API as the cluster's own controllers use it: no authorization, no HTTP, not counted. */
  readonly registry: Registry;
  /** A bearer token of a user in system:masters. */
  readonly adminToken: string;
  /** A new static bearer token for a user, as from a token file. */
  readonly addToken: (user: UserInfo) => string;
  /** Takes the JWTs of an issuer from now on, instead of an earlier authenticator for it, as an API server reads a changed `--authentication-config`. */
  readonly trustIssuer: (authenticator: JwtAuthenticator) => void;
  readonly startKubelet: (options: KubeletOptions) => Kubelet;
  readonly requests: RequestCounter;
  /** Sets a fault for each request; undefined removes it. */
  readonly setBeforeRequest: (hook: BeforeRequest | undefined) => void;
}

export function createKubernetes(options: KubernetesOptions): Kubernetes {
  const { clock, random } = options;
  const store = createStore();
  const registry = createRegistry({ store, clock, random });
  const monitor = startControllers(registry, options.controllers);
  const { signCertificate: sign, signingSeconds = 365 * 86_400 } = options;
  if (sign !== undefined) startCertificateSigner(registry, { sign, signingSeconds });
  fillCluster(registry);
  const tokens = new Map<string, UserInfo>();
  const addToken = (user: UserInfo): string => {
    const token = random.secretHex(32);
    tokens.set(token, user);
    return token;
  };
  const issuers = new Map<string, JwtAuthenticator>();
  const authenticator = createAuthenticator({
    certificate: createCertificateAuthenticator(clock, options.certificateAuthority),
    tokens: [
      (token) => tokens.get(token),
      (token) => authenticateBootstrapToken(registry, token),
      (token) => serviceAccountTokensOf(registry).authenticate(token),
      (token) => authenticateJwt(token, { issuers, now: clock.now() }),
      ...(options.authenticateToken === undefined ? [] : [options.authenticateToken]),
    ],
  });
  let beforeRequest: BeforeRequest | undefined;
  const requests = createRequestCounter();
  const authorizer = createAuthorizer(store);
  const door = createDoor({
    context: registry,
    authenticator,
    authorizer,
    admission: createAdmission({ store, authorizer, hasSigners: options.release !== '1.11' }),
    lister: createLister(store, options.keepsPast ? createWatchCache(store, clock) : currentCache),
    counter: requests,
    beforeRequest: () => beforeRequest,
  });
  const handle = options.release === '1.11' ? asRelease111(door) : door;
  const kubelets = {
    registry,
    monitor,
    dispatcher: createPodDispatcher(store),
    nextPodIP: createPodAddresses(),
    writesHeartbeats: options.heartbeats === 'written',
  };
  return {
    handle,
    sendHttp: sendHttpTo(handle),
    store,
    registry,
    adminToken: addToken({ username: 'kubernetes-admin', groups: ['system:masters'] }),
    addToken,
    trustIssuer: (one) => void issuers.set(one.issuer, one),
    startKubelet: (kubelet) => startKubelet(kubelets, kubelet),
    requests,
    setBeforeRequest: (hook) => {
      beforeRequest = hook;
    },
  };
}
