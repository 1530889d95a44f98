import type { PassView } from './types.ts';

/** Passes over one subject in a row that said the same. */
export interface FoldedPass extends PassView {
  readonly times: number;
  /** When the first of them was. */
  readonly firstAt: number;
}

/** Folds passes that repeat, the newest first, although passes over other subjects came in between. */
export function foldPasses(passes: readonly PassView[]): readonly FoldedPass[] {
  const folded: FoldedPass[] = [];
  const last = new Map<string, number>();
  for (const pass of passes) {
    const key = `${pass.work} ${pass.subject}`;
    const index = last.get(key);
    const newer = index === undefined ? undefined : folded[index];
    if (index !== undefined && newer?.reason === pass.reason && newer.outcome === pass.outcome) {
      folded[index] = { ...newer, times: newer.times + 1, firstAt: pass.at };
    } else {
      last.set(key, folded.length);
      folded.push({ ...pass, times: 1, firstAt: pass.at });
    }
  }
  return folded;
}
