import { membershipCases } from './membership-cases.ts';
import { silenceCases } from './silence-cases.ts';
import { snapshotCases } from './snapshot-cases.ts';

/** Drover's own client of etcd, with everything that membership and snapshots ask. */
export const etcdApiCases = { ...membershipCases, ...silenceCases, ...snapshotCases };
