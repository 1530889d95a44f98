import { AsyncLocalStorage } from 'node:async_hooks';
import type { Answer } from '../../../real/account/answers.ts';

/** A case of a contract. */
export interface CaseName {
  readonly area: string;
  readonly case: string;
}

export interface CaseRecorder {
  /** Records what the account has answered, with the case that has asked. */
  readonly record: (answer: Answer) => void;
  /** What is answered to this check belongs to the case, or to none. */
  readonly during: (of: CaseName | undefined, check: () => Promise<void>) => Promise<void>;
}

/**
 * Knows the case of each answer by who has asked, not by when it came: a case that has timed out may be answered while the next one runs.
 */
export function recordCases(write: (answer: Answer) => void): CaseRecorder {
  const current = new AsyncLocalStorage<CaseName | undefined>();
  return {
    record: (answer) => write({ ...current.getStore(), ...answer }),
    during: (of, check) => current.run(of, check),
  };
}
