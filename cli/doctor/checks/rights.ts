import * as z from 'zod/mini';
import { lazily } from '../../../shared/base/lazily.ts';
import { nameOf } from '../../../shared/kubernetes/api.ts';
import { readObject } from '../../../shared/kubernetes/objects.ts';
import { checkOf, type Finding } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';
import { type Right, rightsOfDrover, textOfRight } from '../rights-of-drover.ts';

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const schema = lazily(() => z.object({ status: z.object({ allowed: z.boolean() }) }));

interface Reviewed extends Right {
  readonly isAllowed: boolean;
}

/** What Drover's identity may do in the cluster, verb by verb, as its API server's authorizer says. */
export const rights = checkOf({
  name: 'rights',
  read: async (context) => await Promise.all(rightsOfDrover.map((right) => review(context, right))),
  judge: judgeRights,
});

async function review({ api }: DoctorContext, right: Right): Promise<Reviewed> {
  const { onlyFor: _, ...resourceAttributes } = right;
  const request = {
    method: 'POST',
    path,
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    },
  } as const;
  const { status } = readObject(schema, await api.call(request), nameOf(request));
  return { ...right, isAllowed: status.allowed };
}

const command = 'kubectl apply -f deploy/rbac.yaml';

/** Pure. */
export function judgeRights(reviewed: readonly Reviewed[]): readonly Finding[] {
  const denied = reviewed.filter(({ isAllowed }) => !isAllowed);
  const allowed: Finding = {
    verdict: 'ok',
    subject: 'Drover',
    message: `it may do ${reviewed.length - denied.length} of the ${reviewed.length} things that it does`,
  };
  return [allowed, ...denied.map(deniedFinding)];
}

const deniedFinding = (right: Right): Finding => ({
  verdict: right.onlyFor ? 'advice' : 'mend',
  subject: textOfRight(right),
  message: right.onlyFor
    ? `Drover may not do this, which only ${right.onlyFor} needs`
    : 'Drover may not do this',
  command,
});
