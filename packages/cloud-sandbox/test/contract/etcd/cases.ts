import { bootstrapCases } from './bootstrap-cases.ts';
import { gatewayCases } from './gateway-cases.ts';
import { membershipCases } from './membership-cases.ts';
import { quorumCases } from './quorum-cases.ts';

/** Behaviours of every etcd, real or simulated. */
export const etcdCases = { ...membershipCases, ...quorumCases, ...bootstrapCases, ...gatewayCases };
