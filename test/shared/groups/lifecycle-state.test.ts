import { describe, expect, it } from 'vitest';
import {
  isPastTerminatingWait,
  isPendingWait,
  isRetained,
  isTerminated,
  isTerminatingWait,
  isWarmedPendingWait,
} from '../../../shared/groups/lifecycle-state.ts';

const questions = {
  isPastTerminatingWait,
  isPendingWait,
  isRetained,
  isTerminated,
  isTerminatingWait,
  isWarmedPendingWait,
};

describe('a lifecycle state', () => {
  it.each([
    ['Pending', []],
    ['Pending:Wait', ['isPendingWait']],
    ['Pending:Proceed', []],
    ['InService', []],
    ['Standby', []],
    ['Terminating', []],
    ['Terminating:Wait', ['isTerminatingWait']],
    ['Terminating:Proceed', ['isPastTerminatingWait']],
    ['Terminating:Retained', ['isRetained']],
    ['Terminated', ['isPastTerminatingWait', 'isTerminated']],
    ['Warmed:Pending:Wait', ['isWarmedPendingWait']],
    ['Warmed:Pending:Retained', ['isRetained']],
    ['Warmed:Terminating:Wait', ['isTerminatingWait']],
    ['Warmed:Terminating:Proceed', ['isPastTerminatingWait']],
    ['Warmed:Terminating:Retained', ['isRetained']],
    ['Warmed:Terminated', ['isPastTerminatingWait', 'isTerminated']],
  ])('%s is %j', (lifecycleState, expected) => {
    const held = Object.entries(questions).filter(([, question]) => question({ lifecycleState }));
    expect(held.map(([name]) => name)).toEqual(expected);
  });
});
