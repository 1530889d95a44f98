import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from 'kubernetes-types/certificates/v1.d.ts';
import { invalid } from '../api/errors.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { Stored } from '../store/object.ts';
import { approvalCauses } from './validate-certificates.ts';

type Condition = CertificateSigningRequestCondition;
type Csr = Stored<CertificateSigningRequest>;

const isVerdict = ({ type }: Condition): boolean => type === 'Approved' || type === 'Denied';

/** The signer writes certificates and leaves verdicts alone. Source: pkg/registry/certificates/certificates/strategy.go. */
export function signedStatus(
  previous: Csr,
  next: CertificateSigningRequest,
): CertificateSigningRequestStatus {
  const verdicts = (previous.status?.conditions ?? []).filter(isVerdict);
  const others = (next.status?.conditions ?? []).filter((condition) => !isVerdict(condition));
  const conditions = [...verdicts, ...others];
  const { conditions: _, ...status } = next.status ?? {};
  return { ...status, ...(conditions.length > 0 && { conditions }) };
}

interface Approval {
  readonly definition: ResourceDefinition;
  readonly previous: Csr;
  readonly next: CertificateSigningRequest;
  readonly now: string;
}

/** An approval writes conditions and no certificate. Throws 422. */
export function approvedStatus({
  definition,
  previous,
  next,
  now,
}: Approval): CertificateSigningRequestStatus {
  const before = previous.status?.conditions ?? [];
  const given = next.status?.conditions ?? [];
  const causes = approvalCauses(before, given);
  const { group, kind } = definition;
  if (causes.length > 0) throw invalid({ group, kind, name: previous.metadata.name, causes });
  const conditions = given.map((condition) => ({
    lastUpdateTime: now,
    lastTransitionTime: now,
    ...condition,
  }));
  return { ...previous.status, ...(conditions.length > 0 && { conditions }) };
}
