import type { AnsweredCall, Call } from './call.ts';

/** Records the notifications that Drover sent to EventBridge. Times in epoch milliseconds. */
export interface NotificationBook {
  asked(call: Call): void;
  answered(answered: AnsweredCall, at: number): void;
  /**
   * A function has reported that it could not send an event. That counts if EventBridge gave this function no answer in time: one that was
   * frozen before its request left gives up, and the request leaves all the same.
   */
  gaveUp(caller: string, at: number): void;
  /** EventBridge was asked to take this kind of event about this Node, whatever it answered. */
  wasAsked(kind: string, nodeUid: string): boolean;
  /** When it last refused an event of this function, or was asked for one and has given no answer yet. */
  failedAt(caller: string): number;
}

/** So long a function waits for EventBridge. */
const patienceMilliseconds = 2000;

export function createNotificationBook(): NotificationBook {
  const asked = new Set<string>();
  const failures = new Map<string, number>();
  const pending = new Set<Call>();
  const accepted = new Map<string, number>();
  const lastPending = (caller: string): number =>
    Math.max(-Infinity, ...[...pending].flatMap((call) => (call.caller === caller ? [call.at] : [])));
  return {
    asked: (call) => {
      if (call.kind !== 'notify') return;
      pending.add(call);
      for (const id of call.ids) asked.add(occurrenceOf(id));
    },
    answered: ({ call, answer }, at) => {
      if (call.kind !== 'notify') return;
      pending.delete(call);
      // A function that was frozen in between gives a late answer up.
      if (answer !== 200 || at - call.at > patienceMilliseconds) failures.set(call.caller, at);
      else accepted.set(call.caller, at);
    },
    gaveUp: (caller, at) => {
      if (at - (accepted.get(caller) ?? -Infinity) > patienceMilliseconds) failures.set(caller, at);
    },
    wasAsked: (kind, nodeUid) => asked.has(`${kind}/${nodeUid}`),
    failedAt: (caller) => Math.max(failures.get(caller) ?? -Infinity, lastPending(caller)),
  };
}

/** `cluster/kind/uid/since`: the kind, and the Node. */
const occurrenceOf = (id: string): string => id.split('/').slice(1, 3).join('/');
