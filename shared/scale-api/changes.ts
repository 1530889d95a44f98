import type { HttpCall } from './http-call.ts';
import { toErrorOfChange } from './to-problem.ts';

/** What a caller changes, as the log has it. */
export interface Change {
  readonly action: string;
  readonly subject: string;
  readonly before: object;
  readonly after: object;
}

export interface ChangeRecord extends Change {
  readonly caller: string | undefined;
}

/** Writes a line of the log. */
export type RecordChange = (message: 'change requested' | 'change made', record: ChangeRecord) => void;

/** Logs a change before and after it is made. If the call fails, or the function is killed in it, the change may have been made. */
export async function makeChange<Value>(
  { recordChange }: { readonly recordChange: RecordChange },
  call: HttpCall,
  { make, ...change }: Change & { readonly make: () => Promise<Value> },
): Promise<Value> {
  const record = { caller: call.callerArn, ...change };
  recordChange('change requested', record);
  const value = await make().catch((error: unknown) => {
    throw toErrorOfChange(error);
  });
  recordChange('change made', record);
  return value;
}
