import type { Clock } from '../base/clock.ts';
import type { Notify } from '../notifications/notification.ts';
import { digestOf, type Look, type Previous } from './digest.ts';
import { notificationOf } from './notification-of.ts';
import { formatRemembered, parseRemembered, type Remembered } from './remembered.ts';

/** The parameter of the digest. Only the sweep writes it. */
export interface DigestParameter {
  /** Undefined if there is none. */
  readonly read: () => Promise<{ readonly text: string; readonly version: number } | undefined>;
  /** Writes it, and resolves with its new version: one more than the former one, if nothing else has written it. */
  readonly write: (text: string) => Promise<number>;
}

export interface DigestContext {
  readonly parameter: DigestParameter;
  readonly notify: Notify;
  readonly clock: Clock;
}

/**
 * - `nothing`: the list has not changed, or the last digest was sent less than an hour ago;
 * - `claimed`: another sweep puts the digest;
 * - `failed`: EventBridge may not have the digest. The next sweep tries again.
 */
export type DigestResult = 'nothing' | 'claimed' | 'sent' | 'failed';

/**
 * Sends a digest if one is due. Before it is put, it is claimed in the parameter: of two sweeps at once, the one whose version follows the
 * version that it has read puts it. A sweep that is killed in between leaves a claim, which expires.
 */
export async function tellDigest(
  { parameter, notify, clock }: DigestContext,
  look: Look,
): Promise<DigestResult> {
  const found = await parameter.read();
  const now = clock.now();
  const { remembered, digest } = digestOf(previousIn(found?.text), look, now);
  const save = async (next: Remembered): Promise<number> => {
    const text = formatRemembered(next);
    if (text === undefined) throw new Error('the parameter of the digest has no room for what it must hold');
    return await parameter.write(text);
  };
  if (digest === undefined) {
    const isSame = found ? formatRemembered(remembered) === found.text : remembered.problems.length === 0;
    if (!isSame) await save(remembered);
    return 'nothing';
  }
  const version = await save({ ...remembered, claimedAt: now });
  if (version !== (found?.version ?? 0) + 1) return 'claimed';
  const result = await notify(notificationOf(digest.occurrence, digest.content));
  await save(result === 'sent' ? digest.afterwards : remembered);
  return result === 'sent' ? 'sent' : 'failed';
}

const previousIn = (text: string | undefined): Previous =>
  text === undefined ? 'absent' : (parseRemembered(text) ?? 'damaged');
