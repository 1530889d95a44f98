import { messageOf } from '../../shared/base/message-of.ts';
import type { Kind } from './kind.ts';

/** What is there of one kind. */
export type KindSurvey = {
  readonly kind: Kind;
} & (
  | { readonly status: 'read'; readonly found: readonly string[]; readonly kept: readonly KeptOne[] }
  | { readonly status: 'unread'; readonly reason: string }
  /** The operator has left the cluster out. */
  | { readonly status: 'left-out' }
);

interface KeptOne {
  readonly name: string;
  readonly why: string;
}

/** Reads each kind. One that cannot be read is named, and stops no other. */
export async function survey(
  kinds: readonly Kind[],
  { withoutCluster }: { readonly withoutCluster: boolean },
): Promise<readonly KindSurvey[]> {
  const surveys: KindSurvey[] = [];
  for (const kind of kinds) {
    if (kind.inCluster && withoutCluster) {
      surveys.push({ kind, status: 'left-out' });
      continue;
    }
    try {
      const all = await kind.list();
      const kept = all.flatMap((name) => {
        const why = kind.whyKept?.(name);
        return why === undefined ? [] : [{ name, why }];
      });
      const found = all.filter((name) => kept.every((one) => one.name !== name));
      surveys.push({ kind, status: 'read', found, kept });
    } catch (error) {
      surveys.push({ kind, status: 'unread', reason: messageOf(error) });
    }
  }
  return surveys;
}
