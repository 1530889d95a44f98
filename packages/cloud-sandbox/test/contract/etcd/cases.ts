import { bootstrapCases } from './bootstrap-cases.ts';
import { gatewayCases } from './gateway-cases.ts';
import { membershipCases } from './membership-cases.ts';
import { quorumCases } from './quorum-cases.ts';

/** What is true of an etcd, whoever made it. */
export const etcdCases = { ...membershipCases, ...quorumCases, ...bootstrapCases, ...gatewayCases };
