import { signers } from '../certificate-request.ts';
import type { Case, Rival } from '../decision-input.ts';
import { type CheckAnswer, conflict, deny } from '../verdict.ts';
import { cellOf } from './situation.ts';

/** One name, one key. */
export function keysCheck(one: Case, others: readonly Rival[]): CheckAnswer {
  if (one.request.signerName === signers.serving) return supersededCheck(one, others);
  if (cellOf(one) !== 'in-window' || !('since' in one.situation)) return undefined;
  const { since } = one.situation;
  const rivals = others.filter(
    ({ requester, approvedAt }) => requester !== 'node' && (approvedAt === undefined || approvedAt >= since),
  );
  const proven = rivals.find(({ requester }) => requester === 'instance');
  if (proven) return deny(`the instance itself asks under another key, in request ${proven.requestName}`);
  const [rival] = rivals;
  if (rival === undefined) return undefined;
  const place = rivals.length === 1 ? `request ${rival.requestName}` : `${rivals.length} requests`;
  return conflict(
    `another key asks for this name, in ${place}: approve one with drover csr approve, or replace the instance`,
  );
}

/** A kubelet asks anew for its serving certificate, under a new key, and waits only for the newest. */
function supersededCheck({ request }: Case, rivals: readonly Rival[]): CheckAnswer {
  const newer = rivals.find((rival) => rival.approvedAt === undefined && isNewer(rival, request));
  return newer && deny(`a newer request of the node replaces it: ${newer.requestName}`);
}

const isNewer = (
  rival: Pick<Rival, 'createdAt' | 'requestName'>,
  request: { readonly createdAt: number; readonly name: string },
): boolean =>
  rival.createdAt > request.createdAt ||
  (rival.createdAt === request.createdAt && rival.requestName > request.name);
