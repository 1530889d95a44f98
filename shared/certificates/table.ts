import type { Requester } from './requester.ts';
import type { Situation } from './situation.ts';

/**
 * A cell of the table:
 * - `approve`: the checks of keys and addresses follow;
 * - `in-window`: as approve, if the request was made within the window; else a person decides;
 * - `foreign`: left for other approvers;
 * - `settling`: later until EC2 must know the name, then deny.
 */
export type Cell = 'approve' | 'in-window' | 'later' | 'settling' | 'foreign' | 'conflict' | 'deny';

/** Credential x situation -> verdict: docs/certificates.md explains each cell. */
export const table: Readonly<Record<Situation['kind'], Readonly<Record<Requester['kind'], Cell>>>> = {
  'no-node': { token: 'in-window', instance: 'approve', node: 'later' },
  'node-ready': { token: 'conflict', instance: 'approve', node: 'approve' },
  'node-returning': { token: 'in-window', instance: 'approve', node: 'approve' },
  'node-not-ready': { token: 'later', instance: 'approve', node: 'approve' },
  'node-without-instance': { token: 'later', instance: 'later', node: 'later' },
  'node-left-over': { token: 'later', instance: 'later', node: 'deny' },
  'node-of-another': { token: 'later', instance: 'later', node: 'deny' },
  stopped: { token: 'later', instance: 'deny', node: 'deny' },
  leaving: { token: 'deny', instance: 'deny', node: 'approve' },
  held: { token: 'later', instance: 'later', node: 'approve' },
  unmanaged: { token: 'foreign', instance: 'foreign', node: 'foreign' },
  'no-instance': { token: 'settling', instance: 'settling', node: 'settling' },
  'several-instances': { token: 'later', instance: 'deny', node: 'deny' },
};
