import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { badRequest, invalid } from './errors.ts';
import type { ReviewSpec } from './reviews.ts';

/** A review is about one resource or path, and has a subject. Throws 400, 422. Source: pkg/apis/authorization/validation. */
export function checkReview({ kind, group }: ResourceDefinition, spec: ReviewSpec): void {
  if (kind === 'TokenReview' && (spec.token ?? '') === '')
    throw badRequest('token is required for TokenReview in authentication');
  if (!kind.endsWith('AccessReview')) return;
  const cause = faultOf(spec) ?? (kind === 'SelfSubjectAccessReview' ? undefined : missingSubject(spec));
  if (cause !== undefined) throw invalid({ group, kind: '', name: '', causes: [cause] });
}

function faultOf({ resourceAttributes, nonResourceAttributes }: ReviewSpec): StatusCause | undefined {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const { path = '', verb = '' } = nonResourceAttributes;
    const given = JSON.stringify({ Path: path, Verb: verb });
    return fault(
      'spec.nonResourceAttributes',
      `${given}: cannot be specified in combination with resourceAttributes`,
    );
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return undefined;
  return fault(
    'spec.resourceAttributes',
    'null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  );
}

const missingSubject = ({ user = '', groups = [] }: ReviewSpec): StatusCause | undefined =>
  user === '' && groups.length === 0
    ? fault('spec.user', '"": at least one of user or group must be specified')
    : undefined;

const fault = (field: string, why: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${why}`,
  field,
});
