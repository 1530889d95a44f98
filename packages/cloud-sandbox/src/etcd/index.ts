/** Simulated etcd members: how they find one another, agree and fail. */

export type { EtcdDoor } from './door.ts';
export type { EtcdFlags, Resolve } from './flags.ts';
export type { EtcdCertificates } from './gateway/certificates.ts';
export { simulatedVersion } from './gateway/maintenance.ts';
export type { EtcdInstance } from './machines.ts';
export type { MemberRecord } from './quorum.ts';
export { type EtcdServer, serveEtcdMember } from './wire/server.ts';
export { createEtcdWorld, type EtcdWorld, type RunningMember } from './world.ts';
