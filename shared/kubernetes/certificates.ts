import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { type CertificateRequest, signers } from '../certificates/certificate-request.ts';
import type { Approval, RequestCalls } from '../certificates/decide-requests.ts';
import { longestRequestBytes } from '../certificates/read-request.ts';
import { type Api, pathOf, writeTimeoutMilliseconds } from './api.ts';
import { listAll } from './lists.ts';
import { isConflict, isNotFound } from './status.ts';

const requestsPath = pathOf('apis', 'certificates.k8s.io', 'v1', 'certificatesigningrequests');

const texts = () => z.array(z.string());

const objectSchema = () =>
  z.object({
    metadata: z.object({
      name: z.string(),
      uid: z.string(),
      resourceVersion: z.string(),
      creationTimestamp: z.string(),
      deletionTimestamp: z.optional(z.nullable(z.string())),
    }),
    spec: z.object({
      request: z.string(),
      signerName: z.string(),
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
export const certificateCalls = (api: Api): RequestCalls => ({
  listRequests: async () => {
    const lists = await Promise.all(
      Object.values(signers).map((signerName) =>
        listAll(api, {
          path: requestsPath,
          query: { fieldSelector: `spec.signerName=${signerName}` },
          schema: requestSchema,
        }),
      ),
    );
    return lists.flat();
  },
  approveOrDeny: (request, approval) => writeCondition(api, request, approval),
});

const toRequest = ({ metadata, spec, status }: RequestObject): CertificateRequest => ({
  name: metadata.name,
  uid: metadata.uid,
  resourceVersion: metadata.resourceVersion,
  signerName: spec.signerName,
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
async function writeCondition(
  api: Api,
  { name, uid, resourceVersion, conditions }: CertificateRequest,
  { type, reason, message }: Approval,
) {
  const added = { type, status: 'True', reason, message };
  const kept = conditions.map((one) => ({
    type: one.type,
    status: one.status,
    reason: one.reason,
    message: one.message,
  }));
  try {
    await api.call({
      method: 'PATCH',
      path: `${requestsPath}${pathOf(name, 'approval')}`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { uid, resourceVersion }, status: { conditions: [...kept, added] } },
      timeoutMilliseconds: writeTimeoutMilliseconds,
    });
    return 'written';
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return 'changed-meanwhile';
    throw error;
  }
}
