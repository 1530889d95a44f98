import * as z from 'zod/mini';
import { lazily } from '../../../shared/base/lazily.ts';
import { nameOf } from '../../../shared/kubernetes/api.ts';
import { readObject } from '../../../shared/kubernetes/lists.ts';
import { callIfServed, lacking, selfSubjectReviews } from '../../../shared/kubernetes/served-version.ts';
import { checkOf } from '../check.ts';

const request = {
  method: 'POST',
  path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
} as const;

const schema = lazily(() =>
  z.object({
    status: z.object({
      userInfo: z.object({ username: z.string(), groups: z.optional(z.array(z.string())) }),
    }),
  }),
);

/** The API server answers, and knows the identity of Drover's kubeconfig, if its release can say so. */
export const cluster = checkOf({
  name: 'cluster',
  read: async ({ api, connections }) => {
    const { server } = await connections.connect();
    const answer = await callIfServed(api, request, selfSubjectReviews);
    if (answer === undefined) return { server, user: undefined };
    return { server, user: readObject(schema, answer, nameOf(request)).status.userInfo };
  },
  judge: ({ server, user }) => {
    if (user === undefined) {
      const message = `it answers, and does not say who Drover is: ${lacking(selfSubjectReviews)}`;
      return [{ verdict: 'ok', subject: server, message }];
    }
    const { username, groups = [] } = user;
    const message = `it answers, and knows Drover as ${username}`;
    if (!groups.includes('system:masters')) return [{ verdict: 'ok', subject: server, message }];
    return [
      {
        verdict: 'advice',
        subject: server,
        message: `${message}, in the group system:masters, which may do everything: give Drover an identity of its own`,
        command: 'drover rbac | kubectl apply -f -',
      },
    ];
  },
});
