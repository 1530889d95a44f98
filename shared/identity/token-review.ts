import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import type { KubernetesUser } from './user.ts';

const reviewSchema = lazily(() =>
  z.object({
    apiVersion: z.enum(['authentication.k8s.io/v1', 'authentication.k8s.io/v1beta1']),
    kind: z.literal('TokenReview'),
    spec: z.object({ token: z.string() }),
  }),
);

export type TokenReview = z.infer<ReturnType<typeof reviewSchema>>;

/** What an API server asks (Kubernetes API reference, TokenReview); undefined for anything else. */
export function readTokenReview(text: string): TokenReview | undefined {
  const parsed = reviewSchema().safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/**
 * The answer in the version that was asked. It names no audience, so the API server takes its own. Why a token is refused is for our log: the
 * API server would write it to its own for every unknown bearer.
 */
export const answerTokenReview = (
  { apiVersion }: Pick<TokenReview, 'apiVersion'>,
  user: KubernetesUser | undefined,
): object => ({
  apiVersion,
  kind: 'TokenReview',
  status: user === undefined ? { authenticated: false } : { authenticated: true, user },
});
