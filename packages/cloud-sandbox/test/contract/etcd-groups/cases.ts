import type { Cases } from '../../../truth/contract.ts';
import { memberCases } from './member-cases.ts';
import { recordCases } from './record-cases.ts';
import type { EtcdGroupsWorld } from './world.ts';

/** What a group of etcd members needs of AWS. No etcd runs here: `test/contract/etcd` has its members. */
export const etcdGroupsCases: Cases<EtcdGroupsWorld> = { ...recordCases, ...memberCases };
