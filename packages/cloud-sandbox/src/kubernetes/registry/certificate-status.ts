import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from 'kubernetes-types/certificates/v1.d.ts';
import { invalid } from '../api/errors.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { Stored } from '../store/object.ts';
import { approvalCauses, signedCauses } from './validate-certificates.ts';

type Condition = CertificateSigningRequestCondition;
type Csr = Stored<CertificateSigningRequest>;

interface StatusChange {
  readonly definition: ResourceDefinition;
  readonly previous: Csr;
  readonly next: CertificateSigningRequest;
  readonly now: string;
}

/**
 * The status after a write of `approval`, which decides, or of `status`, which signs: each leaves the other's part alone.
 * Throws 422. Source: pkg/registry/certificates/certificates/strategy.go.
 */
export function certificateStatus(
  change: StatusChange,
  subresource: string | undefined,
): CertificateSigningRequestStatus {
  const { definition, previous, next, now } = change;
  const isApproval = subresource === 'approval';
  const before = previous.status ?? {};
  const given = isApproval ? (next.status?.conditions ?? []) : withOldVerdicts(change);
  const certificate = isApproval ? before.certificate : next.status?.certificate;
  const after = { conditions: given, ...(certificate !== undefined && { certificate }) };
  const causes = isApproval ? approvalCauses(before, after) : signedCauses(before, after);
  const { group, kind } = definition;
  if (causes.length > 0) throw invalid({ group, kind, name: previous.metadata.name, causes });
  const { conditions: _, ...rest } = after;
  const conditions = given.map((condition) => stamped(condition, before.conditions ?? [], now));
  return { ...rest, ...(conditions.length > 0 && { conditions }) };
}

/** A signer's Approved and Denied are those that were stored, as long as it adds and removes none. */
function withOldVerdicts({ previous, next }: StatusChange): readonly Condition[] {
  const before = previous.status?.conditions ?? [];
  return (next.status?.conditions ?? []).map(
    (condition) =>
      before.find(({ type }) => type === condition.type && ['Approved', 'Denied'].includes(type)) ??
      condition,
  );
}

/** Conditions without times get those of the server. */
function stamped(condition: Condition, before: readonly Condition[], now: string): Condition {
  const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
  return {
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime: condition.lastTransitionTime ?? same?.lastTransitionTime ?? now,
  };
}
