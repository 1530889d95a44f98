import { GetOutboundWebIdentityFederationInfoCommand } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, GetWebIdentityTokenCommand } from '@aws-sdk/client-sts';
import * as z from 'zod/mini';
import { hasCode } from '../../../shared/aws/errors.ts';
import { lazily } from '../../../shared/base/lazily.ts';
import { isEks } from '../../../shared/certificates/built-in-approvers.ts';
import { audienceOf } from '../../../shared/identity/web-identity/trust.ts';
import { listAll, podSchema, readObject } from '../../../shared/kubernetes/lists.ts';
import { callIfServed, lacking, selfSubjectReviews } from '../../../shared/kubernetes/served-version.ts';
import { isForbidden, isUnauthorized } from '../../../shared/kubernetes/status.ts';
import { checkOf } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';
import {
  type ApiServerFlags,
  judgeWebIdentity,
  type Login,
  type ObservedWebIdentity,
} from '../judge-web-identity.ts';

/**
 * Whether the account gives out web identity tokens, and whether the API server takes one as `drover auth-config` means it. What an API server reads is in files of its
 * machines: from outside only its flags can be read, if it is a static pod, and its response to a token.
 */
export const webIdentity = checkOf({ name: 'web-identity', read, judge: judgeWebIdentity });

async function read(context: DoctorContext): Promise<ObservedWebIdentity> {
  const { connections, sts, clusterName } = context;
  const { server } = await connections.connect();
  if (isEks(server)) return { kind: 'eks', server };
  const federation = await readFederation(context);
  const apiServers = await readApiServers(context);
  if (federation.kind !== 'enabled') return { ...federation, apiServers };
  const { Arn: callerArn = '' } = await sts.send(new GetCallerIdentityCommand({}));
  const login = await logIn(context);
  return { kind: 'enabled', issuer: federation.issuer, server, clusterName, callerArn, login, apiServers };
}

type Federation =
  | { readonly kind: 'enabled'; readonly issuer: string }
  | { readonly kind: 'disabled' | 'hidden' | 'absent' };

async function readFederation({ iam }: DoctorContext): Promise<Federation> {
  try {
    const { IssuerIdentifier: issuer = '' } = await iam.send(
      new GetOutboundWebIdentityFederationInfoCommand({}),
    );
    return { kind: 'enabled', issuer };
  } catch (error) {
    if (hasCode(error, 'FeatureDisabledException', 'FeatureDisabled')) return { kind: 'disabled' };
    if (isDenied(error)) return { kind: 'hidden' };
    // The IAM of a partition that has no such feature.
    if (hasCode(error, 'InvalidAction', 'UnknownOperationException')) return { kind: 'absent' };
    throw error;
  }
}

const isDenied = (error: unknown): boolean => hasCode(error, 'AccessDenied', 'AccessDeniedException');

/** The API servers that run as static pods, as kubeadm starts them; undefined if Drover may not list pods. */
async function readApiServers({ api }: DoctorContext): Promise<readonly ApiServerFlags[] | undefined> {
  try {
    const pods = await listAll(api, {
      path: '/api/v1/namespaces/kube-system/pods',
      schema: podSchema,
      query: { labelSelector: 'component=kube-apiserver' },
    });
    return pods.map(({ metadata, spec }) => {
      const words = (spec?.containers ?? []).flatMap(({ command = [], args = [] }) => [...command, ...args]);
      const hasFile = words.some((word) => /^--authentication[-_]config(?:=|$)/.test(word));
      return { name: metadata?.name ?? '', hasFile };
    });
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** The least that STS gives: the token is used once, here. */
const leastSeconds = 60;

/** Logs in to the API server with a web identity token of the caller. */
async function logIn(context: DoctorContext): Promise<Login> {
  const { sts, clusterName } = context;
  try {
    const { WebIdentityToken: token } = await sts.send(
      new GetWebIdentityTokenCommand({
        Audience: [audienceOf(clusterName)],
        DurationSeconds: leastSeconds,
        SigningAlgorithm: 'ES384',
      }),
    );
    return token === undefined
      ? { kind: 'not-tried', reason: 'STS answered without a token' }
      : await whoIs(context, token);
  } catch (error) {
    if (isDenied(error) || hasCode(error, 'SessionDurationEscalationException'))
      return { kind: 'not-tried', reason: (error as Error).message };
    throw error;
  }
}

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const schema = lazily(() =>
  z.object({
    status: z.object({
      userInfo: z.object({
        username: z.string(),
        groups: z.optional(z.array(z.string())),
        extra: z.optional(z.record(z.string(), z.array(z.string()))),
      }),
    }),
  }),
);

async function whoIs({ apiWithToken }: DoctorContext, token: string): Promise<Login> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  try {
    const request = { method: 'POST', path, body } as const;
    const answer = await callIfServed(apiWithToken(token), request, selfSubjectReviews);
    if (answer === undefined) return { kind: 'not-tried', reason: lacking(selfSubjectReviews) };
    const { username, groups = [], extra = {} } = readObject(schema, answer, path).status.userInfo;
    return { kind: 'user', username, groups, extra };
  } catch (error) {
    if (isUnauthorized(error)) return { kind: 'refused' };
    throw error;
  }
}
