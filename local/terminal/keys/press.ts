import type { Action } from '../../dashboard/action-schema.ts';
import type { View } from '../../story/view.ts';

/** What a key of the sandbox's terminal does. */
export type Press =
  | { readonly kind: 'open' | 'quit' }
  | { readonly kind: 'act'; readonly action: Action }
  /** Nothing can be done now. */
  | { readonly kind: 'refused'; readonly why: string };

/** The row that names the keys. */
export const keysRow = '  Keys: o open the page, t terminate an instance, i interrupt spot, q quit';

const endOfText = '\u0003';
const endOfTransmission = '\u0004';

/**
 * What a chunk of the keyboard means; undefined: nothing. Several characters at once are pasted text or a key such as an arrow, and only a
 * Ctrl-C among them counts. Pure.
 */
export function pressOf(chunk: string, view: View, spotIds: ReadonlySet<string>): Press | undefined {
  if (chunk.includes(endOfText) || chunk === endOfTransmission) return { kind: 'quit' };
  switch (chunk.toLowerCase()) {
    case 'o':
      return { kind: 'open' };
    case 'q':
      return { kind: 'quit' };
    case 't':
      return actOn('terminate', serving(view, spotIds, false), 'no worker serves that could be terminated');
    case 'i':
      return actOn(
        'interrupt',
        serving(view, spotIds, true),
        'no spot instance serves that could be interrupted',
      );
    default:
      return undefined;
  }
}

const actOn = (action: 'terminate' | 'interrupt', instanceId: string | undefined, why: string): Press =>
  instanceId === undefined ? { kind: 'refused', why } : { kind: 'act', action: { action, instanceId } };

/** The first instance in service whose node takes pods: the same key takes another one each time. */
const serving = (
  { instances, nodes }: View,
  spotIds: ReadonlySet<string>,
  isSpot: boolean,
): string | undefined =>
  instances.find(
    ({ instanceId, lifecycleState }) =>
      lifecycleState === 'InService' &&
      spotIds.has(instanceId) === isSpot &&
      nodes.some((node) => node.instanceId === instanceId && node.ready && !node.cordoned),
  )?.instanceId;
