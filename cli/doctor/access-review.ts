import * as z from 'zod/mini';
import { lazily } from '../../shared/base/lazily.ts';
import { type Api, nameOf } from '../../shared/kubernetes/api.ts';
import { readObject } from '../../shared/kubernetes/lists.ts';
import type { Right } from './rights-of-drover.ts';

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const schema = lazily(() => z.object({ status: z.object({ allowed: z.boolean() }) }));

/** A right, and whether the authorizer of the API server says that an identity has it. */
export interface Reviewed extends Right {
  readonly isAllowed: boolean;
}

/** Whether the identity of `api` has a right, by a SelfSubjectAccessReview. */
export async function reviewRight(api: Api, right: Right): Promise<Reviewed> {
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
