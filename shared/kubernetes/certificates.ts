import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { type CertificateRequest, type KeptMetadata, signers } from '../certificates/certificate-request.ts';
import type { Approval, RequestCalls } from '../certificates/decide-requests.ts';
import { longestRequestBytes } from '../certificates/read-request.ts';
import { type Api, type ApiRequest, pathOf, writeTimeoutMilliseconds } from './api.ts';
import { listAll } from './lists.ts';
import { type ServedVersion, servedVersion } from './served-version.ts';
import { isConflict, isNotFound } from './status.ts';

const resource = { group: 'certificates.k8s.io', plural: 'certificatesigningrequests' } as const;

const requestsPath = (version: ServedVersion): string =>
  pathOf('apis', resource.group, version, resource.plural);

const texts = () => z.array(z.string());

const objectSchema = () =>
  z.object({
    metadata: z.object({
      name: z.string(),
      uid: z.string(),
      resourceVersion: z.string(),
      creationTimestamp: z.string(),
      deletionTimestamp: z.optional(z.nullable(z.string())),
      labels: z.optional(z.nullable(z.record(z.string(), z.string()))),
      annotations: z.optional(z.nullable(z.record(z.string(), z.string()))),
    }),
    spec: z.object({
      request: z.string(),
      signerName: z.optional(z.string()),
      username: z.optional(z.string()),
      groups: z.optional(texts()),
      extra: z.optional(z.record(z.string(), texts())),
      usages: z.optional(texts()),
      expirationSeconds: z.optional(z.number()),
    }),
    status: z.optional(
      z.object({
        certificate: z.optional(z.nullable(z.string())),
        conditions: z.optional(
          z.array(
            z.object({
              type: z.string(),
              status: z.optional(z.string()),
              reason: z.optional(z.string()),
              message: z.optional(z.string()),
              lastUpdateTime: z.optional(z.nullable(z.string())),
            }),
          ),
        ),
      }),
    ),
  });

type RequestObject = z.infer<ReturnType<typeof objectSchema>>;

/** Reads each object at once as what a decision needs, so that no page of them is kept. */
const requestSchema = lazily(() => z.pipe(objectSchema(), z.transform(toRequest)));

/** Calls for the certificate requests of kubelets. */
export function certificateCalls(api: Api): RequestCalls {
  const withRequests = servedVersion(api, resource);
  return {
    listRequests: () =>
      withRequests(async (version) => {
        if (version === 'v1beta1')
          return await listAll(api, { path: requestsPath(version), schema: requestSchema });
        const lists = await Promise.all(
          Object.values(signers).map((signerName) =>
            listAll(api, {
              path: requestsPath(version),
              query: { fieldSelector: `spec.signerName=${signerName}` },
              schema: requestSchema,
            }),
          ),
        );
        return lists.flat();
      }),
    approveOrDeny: (request, approval) => writeCondition(api, request, approval),
  };
}

/**
 * The signer of a request without one, by its usages. Servers before Kubernetes 1.18 have no signers (release 1.18,
 * `pkg/apis/certificates/v1beta1/defaults.go`); whether the rest of the request has the signer's form is judged as that of any other.
 */
function signerByUsages(usages: readonly string[] = []): string {
  if (usages.includes('server auth'))
    return usages.includes('client auth') ? 'kubernetes.io/legacy-unknown' : signers.serving;
  return usages.includes('client auth') ? signers.client : 'kubernetes.io/legacy-unknown';
}

const toRequest = ({ metadata, spec, status }: RequestObject): CertificateRequest => ({
  name: metadata.name,
  uid: metadata.uid,
  resourceVersion: metadata.resourceVersion,
  signerName: spec.signerName ?? signerByUsages(spec.usages),
  ...(spec.signerName === undefined && {
    withoutSigner: { labels: metadata.labels, annotations: metadata.annotations },
  }),
  username: spec.username ?? '',
  groups: spec.groups ?? [],
  extra: spec.extra ?? {},
  usages: spec.usages ?? [],
  expirationSeconds: spec.expirationSeconds,
  createdAt: Date.parse(metadata.creationTimestamp),
  conditions: (status?.conditions ?? []).map((condition) => ({
    type: condition.type,
    status: condition.status ?? 'True',
    reason: condition.reason ?? '',
    message: condition.message ?? '',
    at: Date.parse(condition.lastUpdateTime ?? metadata.creationTimestamp),
  })),
  over: overOf(metadata.deletionTimestamp, status?.certificate),
  pem: pemOf(spec.request),
});

function overOf(
  deletedAt: string | null = null,
  certificate: string | null = null,
): CertificateRequest['over'] {
  if (deletedAt) return 'it is being deleted';
  return certificate ? 'its certificate is issued' : undefined;
}

const longestBase64 = Math.ceil(longestRequestBytes / 3) * 4;

/** Is refused for its length. A thief of a bootstrap token may make thousands of requests of a megabyte each. */
const overlong = ' '.repeat(longestRequestBytes + 1);

const pemOf = (base64: string): string =>
  base64.length > longestBase64 ? overlong : Buffer.from(base64, 'base64').toString('latin1');

/** UID and resourceVersion are preconditions: what another approver has decided meanwhile is never overwritten. */
async function writeCondition(api: Api, request: CertificateRequest, { type, reason, message }: Approval) {
  const { name, uid, resourceVersion, conditions, withoutSigner } = request;
  const added = { type, status: 'True', reason, message };
  const kept = conditions.map((one) => ({
    type: one.type,
    status: one.status,
    reason: one.reason,
    message: one.message,
  }));
  const write = { metadata: { uid, resourceVersion }, status: { conditions: [...kept, added] } };
  try {
    await api.call({
      ...writeOf(write, name, withoutSigner),
      timeoutMilliseconds: writeTimeoutMilliseconds,
    });
    return 'written';
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return 'changed-meanwhile';
    throw error;
  }
}

interface ConditionWrite {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
  readonly status: object;
}

/** A server without signers has no PATCH of an approval (release 1.11, `pkg/registry/certificates`): an update, of which it takes only metadata and conditions. */
function writeOf(write: ConditionWrite, name: string, kept: KeptMetadata | undefined): ApiRequest {
  if (kept === undefined)
    return {
      method: 'PATCH',
      path: `${requestsPath('v1')}${pathOf(name, 'approval')}`,
      contentType: 'application/merge-patch+json',
      body: write,
    };
  return {
    method: 'PUT',
    path: `${requestsPath('v1beta1')}${pathOf(name, 'approval')}`,
    body: {
      apiVersion: `${resource.group}/v1beta1`,
      kind: 'CertificateSigningRequest',
      ...write,
      metadata: { ...write.metadata, ...kept, name },
    },
  };
}
