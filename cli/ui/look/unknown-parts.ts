import { isoSeconds } from '../../../shared/base/iso-seconds.ts';
import type { UnknownView } from '../../../ui/state/types.ts';
import type { Part } from '../../observation/part.ts';
import { oneLine } from '../../plain-text.ts';

/** What the page shows for the parts that could not be read, by their names. Parts with the same reason are merged. Pure. */
export function unknownParts(parts: Readonly<Record<string, Part<unknown> | undefined>>): UnknownView[] {
  const lines = Object.entries(parts).flatMap(([what, part]) =>
    part === undefined || part.kind === 'known'
      ? []
      : [{ what, reason: wordsOf(part), isThrottled: part.isThrottled }],
  );
  return [...Map.groupBy(lines, ({ reason }) => reason)].map(([reason, those]) => ({
    what: those.map(({ what }) => what).join(', '),
    reason,
    ...(those.some(({ isThrottled }) => isThrottled) && { isThrottled: true as const }),
  }));
}

const wordsOf = (part: Exclude<Part<unknown>, { kind: 'known' }>): string =>
  part.kind === 'stale'
    ? `shown as of ${isoSeconds(part.at)}: ${oneLine(part.reason)}`
    : `unknown: ${oneLine(part.reason)}`;
