import { leavingAnnotation } from '../../../../shared/nodes/node-keys.ts';
import { podOf } from './facts.ts';
import type { Rule, View } from './rule.ts';

/** A function leaves EventBridge alone for a minute after a failure, which it notices after two seconds. */
const quietMilliseconds = 63_000;

const mayBeSilent = ({ told, now }: View, caller: string): boolean =>
  now - told.failedAt(caller) <= quietMilliseconds;

const nodeNamed = ({ world }: View, name: string) => world.kubernetes.store.of('nodes').get(undefined, name);

/** What is wrong where a Node is dealt with so before EventBridge was asked to tell it. */
function untold(
  view: View,
  { kind, name, caller }: { readonly kind: string; readonly name: string; readonly caller: string },
) {
  const uid = nodeNamed(view, name)?.metadata.uid;
  if (uid === undefined || view.told.wasAsked(kind, uid) || mayBeSilent(view, caller)) return undefined;
  return `people are not told of ${kind} of node ${name}, and EventBridge was there`;
}

export const leaveIsTold: Rule = {
  name: 'leave-is-told',
  sentence:
    'People are told that a node leaves before it is marked, unless EventBridge was away a minute ago.',
  onCall: (call, view) => {
    if (call.kind !== 'patch-node' || call.caller !== 'node-leaving') return undefined;
    const { name } = call.node;
    if (call.patch.metadata?.annotations?.[leavingAnnotation] == null) return undefined;
    if (nodeNamed(view, name)?.metadata.annotations?.[leavingAnnotation] !== undefined) return undefined;
    return untold(view, { kind: 'node-leaving', name, caller: call.caller });
  },
};

export const forcedIsTold: Rule = {
  name: 'forced-is-told',
  sentence:
    'People are told that pods are deleted past their budgets before the first is, unless EventBridge was away a minute ago.',
  onCall: (call, view) => {
    if (call.kind !== 'delete-pod' || call.caller !== 'node-leaving') return undefined;
    const name = podOf(view, call)?.spec?.nodeName ?? '';
    return untold(view, { kind: 'drain-forced', name, caller: call.caller });
  },
};

export const goneIsTold: Rule = {
  name: 'gone-is-told',
  sentence:
    'People are told that a node is gone before its Node is deleted, unless EventBridge was away a minute ago.',
  onCall: (call, view) => {
    if (call.kind !== 'delete-node' || call.caller !== 'node-leaving') return undefined;
    return untold(view, { kind: 'node-gone', name: call.node.name, caller: call.caller });
  },
};
