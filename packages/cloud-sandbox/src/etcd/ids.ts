import { createHash } from 'node:crypto';

/** Unsigned 64-bit ids as decimal strings, the way etcd's JSON gateway writes them. */
const firstEightBytes = (content: Uint8Array | string): bigint =>
  createHash('sha1').update(content).digest().readBigUInt64BE();

/** `computeMemberID` (etcd `membership/member.go`); the seconds only for members that are added to a running cluster. */
export function memberIdOf(peerUrls: readonly string[], token: string, addedAtSeconds?: number): string {
  const urls = [...peerUrls].sort().join('');
  return String(firstEightBytes(`${urls}${token}${addedAtSeconds ?? ''}`));
}

/** `genID` (etcd `membership/cluster.go`): from the ids of its first members. */
export function clusterIdOf(memberIds: readonly string[]): string {
  const bytes = Buffer.alloc(8 * memberIds.length);
  [...memberIds].sort(byId).forEach((id, index) => bytes.writeBigUInt64BE(BigInt(id), 8 * index));
  return String(firstEightBytes(bytes));
}

/** As numbers: `9` before `10`. */
export const byId = (one: string, other: string): number => Number(BigInt(one) - BigInt(other) > 0n) * 2 - 1;

export const hexadecimal = (id: string): string => BigInt(id).toString(16);
