import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import type {
  BootstrapToken,
  Identity,
  NewToken,
  TokenCluster,
  TokenCredential,
  TokenOwner,
} from '../credentials/token-cluster.ts';
import type { SendHttp } from '../net/http.ts';
import { type Api, type ApiOptions, createApi, nameOf, pathOf } from './api.ts';
import type { ConnectionSource } from './connection.ts';
import { readObject } from './lists.ts';
import { isServed, selfSubjectReviews } from './served-version.ts';
import { isConflict, isNotFound, isUnauthorized } from './status.ts';

const secretsPath = pathOf('api', 'v1', 'namespaces', 'kube-system', 'secrets');
const reviewPath = pathOf('apis', 'authentication.k8s.io', 'v1', 'selfsubjectreviews');
const accessPath = pathOf('apis', 'authorization.k8s.io', 'v1', 'selfsubjectaccessreviews');

/**
 * The bootstrap tokens of a cluster, which are Secrets of kube-system. Creates and deletes with the credentials of
 * `connections`; `whoAmI` and `mayRequestCertificates` use only the given token. SelfSubjectReview v1 needs Kubernetes 1.28.
 */
export function createTokenCluster(options: ApiOptions): TokenCluster {
  const api = createApi(options);
  return {
    canProveTokens: () => isServed(api, selfSubjectReviews),
    createToken: (token) => create(api, token),
    deleteToken: ({ id, uid }) => remove(api, { id, uid }),
    whoAmI: (credential) => whoAmI(credential, options.sendHttp),
    mayRequestCertificates: (credential) => mayRequestCertificates(credential, options.sendHttp),
  };
}

async function create(
  api: Api,
  { token, owner, expiresAt, groups, description }: NewToken,
): Promise<BootstrapToken> {
  const name = `${namePrefix}${token.id}`;
  const expiration = new Date(expiresAt).toISOString().replace(/\.\d+Z$/, 'Z');
  const request = {
    method: 'POST',
    path: secretsPath,
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      type: secretType,
      metadata: { name, namespace: 'kube-system', labels: ownerLabels(owner) },
      stringData: {
        'token-id': token.id,
        'token-secret': token.secret,
        expiration,
        'usage-bootstrap-authentication': 'true',
        ...(groups.length > 0 && { 'auth-extra-groups': groups.join(',') }),
        description,
      },
    },
  } as const;
  const { metadata } = readObject(secretSchema, await api.call(request), nameOf(request));
  if (metadata.name !== name)
    throw new Error(`${nameOf(request)} answered with another Secret than it was sent`);
  return {
    id: token.id,
    uid: metadata.uid,
    createdAt: Date.parse(metadata.creationTimestamp),
    expiresAt: Date.parse(expiration),
    groups: [...groups].sort(),
  };
}

/** Deletes by UID, so that a Secret that was recreated under the same name stays. */
async function remove(api: Api, { id, uid }: { readonly id: string; readonly uid: string }) {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
  try {
    await api.call({ method: 'DELETE', path: `${secretsPath}${pathOf(`${namePrefix}${id}`)}`, body });
    return 'deleted';
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return 'gone';
    throw error;
  }
}

async function whoAmI(credential: TokenCredential, sendHttp: SendHttp): Promise<Identity | undefined> {
  const api = createApi({ connections: asBearer(credential), sendHttp });
  const request = {
    method: 'POST',
    path: reviewPath,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  } as const;
  try {
    const { username, groups = [] } = readObject(identitySchema, await api.call(request), nameOf(request))
      .status.userInfo;
    return { username, groups };
  } catch (error) {
    if (isUnauthorized(error)) return undefined;
    throw error;
  }
}

async function mayRequestCertificates(credential: TokenCredential, sendHttp: SendHttp): Promise<boolean> {
  const api = createApi({ connections: asBearer(credential), sendHttp });
  const resourceAttributes = {
    verb: 'create',
    group: 'certificates.k8s.io',
    resource: 'certificatesigningrequests',
  };
  const request = {
    method: 'POST',
    path: accessPath,
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    },
  } as const;
  return readObject(accessSchema, await api.call(request), nameOf(request)).status.allowed;
}

function asBearer({ address, token: { id, secret } }: TokenCredential): ConnectionSource {
  const { server, certificateAuthorityData, tlsServerName } = address;
  const certificateAuthority =
    certificateAuthorityData && Buffer.from(certificateAuthorityData, 'base64').toString('utf8');
  const tls = {
    ...(certificateAuthority && { certificateAuthority }),
    ...(tlsServerName && { serverName: tlsServerName }),
  };
  const connection = { server: server.replace(/\/$/, ''), tls, bearerToken: `${id}.${secret}` };
  return { connect: () => Promise.resolve(connection), invalidate: () => undefined };
}

export const secretType = 'bootstrap.kubernetes.io/token';
export const namePrefix = 'bootstrap-token-';

/** The fields that Drover reads of a Secret that it made; the token itself is not one of them. */
export const secretSchema = lazily(() =>
  z.object({ metadata: z.object({ name: z.string(), uid: z.string(), creationTimestamp: z.string() }) }),
);

export const identitySchema = lazily(() =>
  z.object({
    status: z.object({
      userInfo: z.object({ username: z.string(), groups: z.optional(z.array(z.string())) }),
    }),
  }),
);

export const accessSchema = lazily(() => z.object({ status: z.object({ allowed: z.boolean() }) }));

const labelValue = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/** The labels that mark a token as this owner's. @throws Error for a cluster name that cannot be a label value. */
export function ownerLabels({ clusterName, role }: TokenOwner): Readonly<Record<string, string>> {
  if (!labelValue.test(clusterName))
    throw new Error(
      `the cluster name ${clusterName} cannot be a label's value, which bootstrap tokens need: at most 63 letters, digits, dots and dashes, no dot or dash at the end`,
    );
  return { 'drover.dev/bootstrap': role, 'drover.dev/cluster': clusterName };
}
