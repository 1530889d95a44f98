import * as z from 'zod/mini';
import { lazily } from '../../shared/base/lazily.ts';
import { type Api, nameOf } from '../../shared/kubernetes/api.ts';
import { readObject } from '../../shared/kubernetes/lists.ts';
import {
  callIfServed,
  lacking,
  selfSubjectReviews,
  tokenRequests,
} from '../../shared/kubernetes/served-version.ts';
import { isNotFound } from '../../shared/kubernetes/status.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

const tokenSchema = lazily(() =>
  z.object({
    status: z.object({ token: z.string(), expirationTimestamp: z.iso.datetime({ offset: true }) }),
  }),
);
const reviewSchema = lazily(() =>
  z.object({ status: z.object({ userInfo: z.object({ username: z.string() }) }) }),
);

export const username = 'system:serviceaccount:kube-system:drover';

export interface IssuedToken {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A token of the ServiceAccount that deploy/rbac.yaml creates. @throws CliError if there is no such account, or the server issues no tokens */
export async function requestToken(api: Api, expirationSeconds: number): Promise<IssuedToken> {
  const request = {
    method: 'POST',
    path: '/api/v1/namespaces/kube-system/serviceaccounts/drover/token',
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds },
    },
  } as const;
  try {
    const answer = await callIfServed(api, request, tokenRequests);
    if (answer === undefined) throw withoutTokens(lacking(tokenRequests));
    const { status } = readObject(tokenSchema, answer, nameOf(request));
    return { token: status.token, expiresAt: Date.parse(status.expirationTimestamp) };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CliError(
      'the cluster has no ServiceAccount drover in kube-system: drover rbac | kubectl apply -f -',
      exitCodes.failed,
      error,
    );
  }
}

const withoutTokens = (why: string): CliError =>
  new CliError(
    `${why}: store a token without an end, as docs/openshift-3.11.md says: oc serviceaccounts create-kubeconfig drover --namespace kube-system`,
    exitCodes.failed,
  );

/** @throws CliError if the API server cannot say whose the bearer is, or takes the bearer for another user */
export async function proveToken(api: Api): Promise<void> {
  const request = {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  } as const;
  const answer = await callIfServed(api, request, selfSubjectReviews);
  if (answer === undefined)
    throw withoutTokens(`${lacking(selfSubjectReviews)}, so nothing proves the new token`);
  const { status } = readObject(reviewSchema, answer, nameOf(request));
  if (status.userInfo.username === username) return;
  throw new CliError(
    `the API server takes the new token for ${status.userInfo.username}, not for ${username}: nothing was stored`,
    exitCodes.failed,
  );
}
