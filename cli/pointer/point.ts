import { withinTime } from '../../shared/base/within-time.ts';
import type { Severity } from '../../shared/problems/problem.ts';
import type { CliContext } from '../context.ts';
import { type PointerFlags, pointerText } from './text.ts';

/** The problems that a listing came across. */
export interface SeenProblems {
  readonly problems: readonly { readonly severity?: Severity | undefined }[];
  /** Whether `drover status` would find no others. */
  readonly isWhole: boolean;
}

/** Begins to look for problems until the signal; the function that it returns is called once the listing is printed. */
export type BeginLook = (giveUp: AbortSignal) => () => Promise<SeenProblems>;

interface Pointed {
  readonly list: () => Promise<void>;
  readonly beginLook: BeginLook;
  readonly flags: PointerFlags;
}

/** How long an operator, who has the list, waits for the prompt at most. */
const longestMilliseconds = 2000;

/** Lists, and ends with one line on standard error that points to `drover status` if there are problems. It looks while it lists. */
export async function listAndPoint(
  { list, beginLook, flags }: Pointed,
  { clock, stderr }: Pick<CliContext, 'clock' | 'stderr'>,
): Promise<void> {
  const giveUp = new AbortController();
  const look = beginLook(giveUp.signal);
  try {
    await list();
    // The list does not fail for the pointer: one who may not look, or gets no answer in time, sees none.
    const seen = await withinTime(clock, longestMilliseconds, look()).catch(() => undefined);
    const text = seen && pointerText(seen, flags);
    if (text !== undefined) stderr.write(`${text}\n`);
  } finally {
    // A read that goes on would keep the process.
    giveUp.abort();
  }
}
