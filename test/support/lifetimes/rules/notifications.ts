import { parseLeavingMark, readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../../shared/nodes/node-keys.ts';
import { podOf } from './facts.ts';
import type { Rule, View } from './rule.ts';

/** After a failure, which a function notices after two seconds, it does not call EventBridge for a minute. */
const quietMilliseconds = 63_000;

const mayBeSilent = ({ notifications, now }: View, caller: string): boolean =>
  now - notifications.failedAt(caller) <= quietMilliseconds;

const nodeNamed = ({ world }: View, name: string) => world.kubernetes.store.of('nodes').get(undefined, name);

/** What is wrong if a function takes this step for a Node before it has sent the event to EventBridge. */
function unnotified(
  view: View,
  { kind, name, caller }: { readonly kind: string; readonly name: string; readonly caller: string },
) {
  const uid = nodeNamed(view, name)?.metadata.uid;
  if (uid === undefined || view.notifications.wasAsked(kind, uid) || mayBeSilent(view, caller))
    return undefined;
  return `EventBridge was available, and received no ${kind} event for node ${name}`;
}

export const leavingIsNotified: Rule = {
  name: 'leaving-is-notified',
  sentence:
    'An event reports that a node leaves before its drain begins and the Node is marked, unless EventBridge was away a minute ago.',
  onCall: (call, view) => {
    if (call.kind !== 'patch-node' || call.caller !== 'node-leaving') return undefined;
    const { name } = call.node;
    const text = call.patch.metadata?.annotations?.[leavingAnnotation];
    // The pods of a node that waits for its replacement or its turn still serve.
    if (text == null || parseLeavingMark(text)?.awaiting !== undefined) return undefined;
    const { annotations } = nodeNamed(view, name)?.metadata ?? {};
    const isAwaiting = readLeavingMark(annotations)?.awaiting !== undefined;
    if (annotations?.[leavingAnnotation] !== undefined && !isAwaiting) return undefined;
    return unnotified(view, { kind: 'node-leaving', name, caller: call.caller });
  },
};

export const forcedIsNotified: Rule = {
  name: 'forced-is-notified',
  sentence:
    'An event reports that pods are deleted past their budgets before the first one is deleted, unless EventBridge was away a minute ago.',
  onCall: (call, view) => {
    if (call.kind !== 'delete-pod' || call.caller !== 'node-leaving') return undefined;
    const name = podOf(view, call)?.spec?.nodeName ?? '';
    return unnotified(view, { kind: 'drain-forced', name, caller: call.caller });
  },
};

export const goneIsNotified: Rule = {
  name: 'gone-is-notified',
  sentence:
    'An event reports that a node is gone before its Node is deleted, unless EventBridge was away a minute ago.',
  onCall: (call, view) => {
    if (call.kind !== 'delete-node' || call.caller !== 'node-leaving') return undefined;
    return unnotified(view, { kind: 'node-gone', name: call.node.name, caller: call.caller });
  },
};
